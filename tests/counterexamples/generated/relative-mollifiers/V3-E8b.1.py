def clip(v, low, high):
    return 0 * v + [smallest(largest(a, least), most) for a, least, most in zip(v, low, high, strict=True)]


def constant(P, Q_0, r):
    breaks = [_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: _divide(factor * q, p), lambda: 0) for p, q in zip(P, Q_0, strict=True) for factor in (r, _divide(1, r))]
    masses = [sum(clip(t * P, _divide(Q_0, r), r * Q_0)) for t in breaks]
    low = largest((_choose(_chain([('<=', 0.0)], lambda: mass, lambda: 1), lambda: t, lambda: 0) for t, mass in zip(breaks, masses, strict=True)))
    high = smallest((_choose(_chain([('>=', 0.0)], lambda: mass, lambda: 1), lambda: t, lambda: largest(breaks)) for t, mass in zip(breaks, masses, strict=True)))
    below, above = (sum(clip(t * P, _divide(Q_0, r), r * Q_0)) for t in (low, high))
    return _divide(1, _choose(_chain([('<', 0.0)], lambda: low, lambda: high), lambda: low + _divide((high - low) * (1 - below), above - below), lambda: low))


def factor(f, r, mean):
    return _divide(1, largest(1, _divide(largest(f) - mean, r - mean), _divide(mean - smallest(f), mean - _divide(1, r))))


def example():
    return {'m': (1, 0), 'n': (0, 1), 'Q_0': (_divide(1, 4), _divide(3, 4)), 'r': 2}


m = V(example()['m'])
n = V(example()['n'])
Q_0 = V(example()['Q_0'])
r = example()['r']


def make_m_clipped(m, Q_0, r):
    return clip(_divide(m, constant(m, Q_0, r)), _divide(Q_0, r), r * Q_0)


m_clipped = make_m_clipped(m, Q_0, r)


def make_A(m_clipped):
    return _divide(m_clipped, sum(m_clipped))


A = make_A(m_clipped)


def make_n_clipped(n, Q_0, r):
    return clip(_divide(n, constant(n, Q_0, r)), _divide(Q_0, r), r * Q_0)


n_clipped = make_n_clipped(n, Q_0, r)


def make_B(n_clipped):
    return _divide(n_clipped, sum(n_clipped))


B = make_B(n_clipped)


def hypothesis(m, n):
    return _every([lambda: _chain([('>', 0.0)], lambda: sum(m), lambda: 0), lambda: _chain([('>', 0.0)], lambda: sum(n), lambda: 0)])


assert hypothesis(m, n)


def statement(A, B, Q_0, r):
    return (_chain([('<=', 0.0), ('<=', 0.0)], lambda: _divide(Q_0, r), lambda: A, lambda: r * Q_0), _chain([('<=', 0.0)], lambda: _divide(A, B), lambda: _power(r, 2)))


found = statement(A, B, Q_0, r)
assert not (all(found) if isinstance(found, tuple) else found)
