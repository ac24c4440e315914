def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


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


def completed(P, Q_0, r, P_hat):
    q = reached(P, Q_0)
    rest = _choose(_chain([('<', 0.0)], lambda: q, lambda: 1), lambda: _divide(1 - r * q, 1 - q), lambda: 0)
    return 0 * P + [_choose(_chain([('>=', 0.0)], lambda: q, lambda: _divide(1, 1 + r)), lambda: a, lambda: _choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: r * b, lambda: rest * b)) for a, p, b in zip(P_hat, P, Q_0, strict=True)]


def reached(P, Q_0):
    return sum((_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: q, lambda: 0) for p, q in zip(P, Q_0, strict=True)))


def member(Q_0, r, a):
    made = []
    left, below, above = (1, _divide(1, r), r)
    for q, share in zip(Q_0, a, strict=True):
        below, above = (below - _divide(q, r), above - r * q)
        bottom, top = (largest(_divide(q, r), left - above), smallest(r * q, left - below))
        made.append((1 - share) * bottom + share * top)
        left = left - made[-1]
    return 0 * Q_0 + made


def example():
    return {'P': (1, 0), 'Q_0': (_divide(1, 4), _divide(3, 4)), 'r': 2, 'a': (1, 1), 's': 1}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
r = example()['r']
a = V(example()['a'])
s = example()['s']


def make_C(P, Q_0, r):
    return constant(P, Q_0, r)


C = make_C(P, Q_0, r)


def make_P_hat(P, Q_0, r, C):
    return clip(_divide(P, C), _divide(Q_0, r), r * Q_0)


P_hat = make_P_hat(P, Q_0, r, C)


def make_best(P, Q_0, r, P_hat):
    return completed(P, Q_0, r, P_hat)


best = make_best(P, Q_0, r, P_hat)


def make_Q(Q_0, r, a):
    return member(Q_0, r, a)


Q = make_Q(Q_0, r, a)


def make_N(best, Q, s):
    return (1 - s) * best + s * Q


N = make_N(best, Q, s)


def statement(P, P_hat, N):
    return (_chain([('==', 0.0)], lambda: sum(P_hat), lambda: 1), _chain([('<=', 0.0)], lambda: KL(P, P_hat), lambda: KL(P, N)))


found = statement(P, P_hat, N)
assert not (all(found) if isinstance(found, tuple) else found)
