def KL_B(P, Q, B):
    return sum(xlog(P, _divide(P, Q)) * B)


def integral(f, P, B):
    return sum(f * P * B)


def exponent(Q, f):
    return f - log(E(Q, exp(f)))


def example():
    return {'P': (_divide(3, 4), _divide(1, 4)), 'Q_0': (_divide(1, 2), _divide(1, 2)), 's': (1, -1), 'ε': log(2), 'share': _divide(4, 5), 'B': (1, 0)}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s = V(example()['s'])
ε = example()['ε']
share = example()['share']
B = V(example()['B'])


def make_L(Q_0, ε, share, s):
    return exponent(Q_0, _divide(share * ε, 4) * s)


L = make_L(Q_0, ε, share, s)


def hypothesis(B):
    return _chain([('==', 0.0), ('>', 0.0)], lambda: largest(B), lambda: 1, lambda: smallest(B))


assert hypothesis(B)


def statement(P, Q_0, B, L, ε):
    return _chain([('>=', 0.0)], lambda: KL_B(P, Q_0, 1 - B) - integral(exp(L), P, 1 - B), lambda: KL_B(P, Q_0, 1 - B) - integral(_divide(ε, 2), P, 1 - B))


found = statement(P, Q_0, B, L, ε)
assert not (all(found) if isinstance(found, tuple) else found)
