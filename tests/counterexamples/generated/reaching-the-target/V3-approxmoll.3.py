def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def closest(P, Q_0, r):
    breaks = [1, _divide(1, r), *(_divide(p, q) for p, q in zip(P, Q_0)), *(_divide(p, r * q) for p, q in zip(P, Q_0))]
    masses = [sum(clip(P, m * Q_0, r * m * Q_0)) for m in breaks]
    low = largest((_choose(_chain([('<=', 0.0)], lambda: mass, lambda: 1), lambda: m, lambda: 0) for m, mass in zip(breaks, masses)))
    high = smallest((_choose(_chain([('>=', 0.0)], lambda: mass, lambda: 1), lambda: m, lambda: largest(breaks)) for m, mass in zip(breaks, masses)))
    below, above = (sum(clip(P, m * Q_0, r * m * Q_0)) for m in (low, high))
    m = _choose(_chain([('>', 0.0)], lambda: above, lambda: below), lambda: low + _divide((high - low) * (1 - below), above - below), lambda: low)
    return clip(P, m * Q_0, r * m * Q_0)


def clip(v, low, high):
    return 0 * v + [smallest(largest(a, least), most) for a, least, most in zip(v, low, high, strict=True)]


def mollified(P, Q_0, r):
    return completed(P, Q_0, r, clip(_divide(P, constant(P, Q_0, r)), _divide(Q_0, r), r * Q_0))


def completed(P, Q_0, r, P_hat):
    q = reached(P, Q_0)
    rest = _choose(_chain([('<', 0.0)], lambda: q, lambda: 1), lambda: _divide(1 - r * q, 1 - q), lambda: 0)
    return 0 * P + [_choose(_chain([('>=', 0.0)], lambda: q, lambda: _divide(1, 1 + r)), lambda: a, lambda: _choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: r * b, lambda: rest * b)) for a, p, b in zip(P_hat, P, Q_0, strict=True)]


def reached(P, Q_0):
    return sum((_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: q, lambda: 0) for p, q in zip(P, Q_0, strict=True)))


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
    return {'P': (_divide(3, 4), _divide(1, 4)), 'Q_0': (_divide(1, 2), _divide(1, 2)), 'r': 2}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
r = example()['r']


def make_Q(P, Q_0, r):
    return closest(P, Q_0, r)


Q = make_Q(P, Q_0, r)


def make_M(P, Q_0, r):
    return mollified(P, Q_0, r)


M = make_M(P, Q_0, r)


def statement(P, Q, M):
    return _chain([('<=', 0.0)], lambda: KL(P, Q), lambda: KL(P, M))


found = statement(P, Q, M)
assert not (all(found) if isinstance(found, tuple) else found)
