def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def exponent(Q, f):
    return f - log(E(Q, exp(f)))


def example():
    return {'P': (_divide(3, 4), _divide(1, 4)), 'Q_0': (_divide(1, 4), _divide(3, 4)), 's': (1, -1), 'scale': 1, 'ε': 4 * log(2), 'T': 1, 'share_P': _divide(9, 10), 'share_Q': _divide(9, 10)}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s = V(example()['s'])
scale = example()['scale']
ε = example()['ε']
T = example()['T']
share_P = example()['share_P']
share_Q = example()['share_Q']


def make_γ_P(share_P, P, s):
    return share_P * E(P, s)


γ_P = make_γ_P(share_P, P, s)


def make_c(s, scale):
    return s * scale * log(2)


c = make_c(s, scale)


def make_γ_Q(share_Q, Q_0, ε, T, c, s):
    return -share_Q * E(tilt(Q_0, steps(ε, T - 1) * c), s)


γ_Q = make_γ_Q(share_Q, Q_0, ε, T, c, s)


def make_L(Q_0, ε, T, c):
    return exponent(Q_0, steps(ε, T) * c)


L = make_L(Q_0, ε, T, c)


def make_Q_T(Q_0, L):
    return Q_0 * exp(L)


Q_T = make_Q_T(Q_0, L)


def make_Δ(P, Q_0, Q_T):
    return KL(P, Q_0) - KL(P, Q_T)


Δ = make_Δ(P, Q_0, Q_T)


def hypothesis(γ_P, γ_Q):
    return _every([lambda: _chain([('>', 0.0)], lambda: γ_P, lambda: 0), lambda: _chain([('>', 0.0)], lambda: γ_Q, lambda: 0)])


assert hypothesis(γ_P, γ_Q)


def hypothesis(γ_Q):
    return _chain([('>=', 0.0)], lambda: γ_Q, lambda: _divide(1, 3))


assert hypothesis(γ_Q)


def statement(Δ, ε, T, γ_P, γ_Q):
    return _chain([('>=', 0.0)], lambda: _divide(2 * Δ, ε), lambda: _divide(γ_P + γ_Q, 2) * (1 - _power(_divide(1, 1 + _divide(4 * log(2), ε)), T)))


found = statement(Δ, ε, T, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
