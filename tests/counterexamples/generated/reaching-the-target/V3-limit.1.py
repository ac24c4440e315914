def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def gain(P, Q_0, Q):
    return KL(P, Q_0) - KL(P, Q)


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def mollified(P, Q_0, r):
    return completed(P, Q_0, r, clip(_divide(P, constant(P, Q_0, r)), _divide(Q_0, r), r * Q_0))


def clip(v, low, high):
    return 0 * v + [smallest(largest(a, least), most) for a, least, most in zip(v, low, high, strict=True)]


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
    return {'P': (1 - _divide(1, _power(2, 30)), _divide(1, _power(2, 30))), 'Q_0': (_divide(1, _power(2, 30)), 1 - _divide(1, _power(2, 30))), 's': (1, -1), 'r': 2, 'scale': _divide(1, 10), 'T': 20, 'share_P': 1, 'share_Q': 1}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s = V(example()['s'])
r = example()['r']
scale = example()['scale']
T = example()['T']
share_P = example()['share_P']
share_Q = example()['share_Q']


def make_γ_P(share_P, P, s):
    return share_P * E(P, s)


γ_P = make_γ_P(share_P, P, s)


def make_ε(r):
    return 2 * log(r)


ε = make_ε(r)


def make_last(Q_0, s, scale, ε, T):
    return tilt(Q_0, steps(ε, T - 1) * scale * log(2) * s)


last = make_last(Q_0, s, scale, ε, T)


def make_γ_Q(share_Q, last, s):
    return -share_Q * E(last, s)


γ_Q = make_γ_Q(share_Q, last, s)


def make_best(P, Q_0, r):
    return gain(P, Q_0, mollified(P, Q_0, r))


best = make_best(P, Q_0, r)


def make_out(Q_0, s, scale, ε, T):
    return tilt(Q_0, steps(ε, T) * scale * log(2) * s)


out = make_out(Q_0, s, scale, ε, T)


def make_Δ(P, Q_0, out):
    return gain(P, Q_0, out)


Δ = make_Δ(P, Q_0, out)


def hypothesis(γ_P, γ_Q):
    return _every([lambda: _chain([('>', 0.0)], lambda: γ_P, lambda: 0), lambda: _chain([('>', 0.0)], lambda: γ_Q, lambda: 0)])


assert hypothesis(γ_P, γ_Q)


def hypothesis(γ_Q):
    return _chain([('>=', 0.0)], lambda: γ_Q, lambda: _divide(1, 3))


assert hypothesis(γ_Q)


def statement(best, Δ, ε, T, γ_P, γ_Q):
    return _chain([('<=', 0.0)], lambda: best - Δ, lambda: _divide(ε, 2) * (_power(θ(ε), T) + _divide(1 - γ_P, 2) + _divide(3 * (1 - γ_Q), 4 * log(2))))


found = statement(best, Δ, ε, T, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
