def completed(P, Q_0, r, P_hat):
    q = reached(P, Q_0)
    rest = _choose(_chain([('<', 0.0)], lambda: q, lambda: 1), lambda: _divide(1 - r * q, 1 - q), lambda: 0)
    return 0 * P + [_choose(_chain([('>=', 0.0)], lambda: q, lambda: _divide(1, 1 + r)), lambda: a, lambda: _choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: r * b, lambda: rest * b)) for a, p, b in zip(P_hat, P, Q_0, strict=True)]


def reached(P, Q_0):
    return sum((_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: q, lambda: 0) for p, q in zip(P, Q_0, strict=True)))


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
    return {'P': (_divide(2, 5), _divide(3, 5)), 'base': (_divide(4, 5), _divide(1, 5)), 'u': 0, 'r': _divide(5, 4)}


P = V(example()['P'])
base = V(example()['base'])
u = example()['u']
r = example()['r']


def make_Q_0(base, u):
    return (1 - u) * base + _divide(u, len(base))


Q_0 = make_Q_0(base, u)


def make_C(P, Q_0, r):
    return constant(P, Q_0, r)


C = make_C(P, Q_0, r)


def make_P_hat(P, Q_0, r, C):
    return clip(_divide(P, C), _divide(Q_0, r), r * Q_0)


P_hat = make_P_hat(P, Q_0, r, C)


def make_best(P, Q_0, r, P_hat):
    return completed(P, Q_0, r, P_hat)


best = make_best(P, Q_0, r, P_hat)


def statement(P, best):
    return all((_some([lambda: _chain([('<', 0.0)], lambda: p, lambda: largest(P)), lambda: _chain([('==', 0.0)], lambda: a, lambda: largest(best))]) for p, a in zip(P, best)))


found = statement(P, best)
assert not (all(found) if isinstance(found, tuple) else found)
