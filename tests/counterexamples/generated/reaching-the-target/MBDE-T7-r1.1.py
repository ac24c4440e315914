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


def statement(Δ, ε, T, γ_P, γ_Q):
    return _chain([('>=', 0.0)], lambda: Δ, lambda: _divide(ε, 2) * (1 - _power(θ(ε), T)) * (1 - _divide(1 - γ_P, 2) - _divide(3 * (1 - γ_Q), 4 * log(2))))


found = statement(Δ, ε, T, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
