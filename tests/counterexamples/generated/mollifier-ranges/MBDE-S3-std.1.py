def example():
    return {'N': (_divide(3, 4), _divide(1, 4)), 't': 1, 's': (1, -1), 'ε': 2 * log(_literal('1.01'))}


N = V(example()['N'])
t = example()['t']
s = V(example()['s'])
ε = example()['ε']


def make_B(N, t):
    return _divide(1 - t, len(N)) + t * N


B = make_B(N, t)


def make_u(s):
    return _divide(1, 2) * (s + 1)


u = make_u(s)


def make_Q(B, u, ε):
    return _divide(B * exp(_divide(ε * u, 2)), sum(B * exp(_divide(ε * u, 2))))


Q = make_Q(B, u, ε)


def statement(Q, ε):
    return _chain([('<=', 0.0)], lambda: _divide(sum(abs(Q - _divide(1, len(Q)))), 2), lambda: tanh(_divide(ε, 8)))


found = statement(Q, ε)
assert not (all(found) if isinstance(found, tuple) else found)
