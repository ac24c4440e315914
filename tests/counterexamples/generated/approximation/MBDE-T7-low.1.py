def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def example():
    return {'P': (_divide(9, 10), _divide(1, 10)), 'Q_0': (_divide(1, 4), _divide(3, 4)), 's_1': (1, -1), 's_T': (1, -1), 'k_1': 1, 'k_T': 1, 'ε': 4 * log(2), 'T': 1, 'share_P': _divide(79, 80), 'share_Q': _divide(49, 50)}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s_1 = V(example()['s_1'])
s_T = V(example()['s_T'])
k_1 = example()['k_1']
k_T = example()['k_T']
ε = example()['ε']
T = example()['T']
share_P = example()['share_P']
share_Q = example()['share_Q']


def make_γ_P1(share_P, P, s_1):
    return share_P * E(P, s_1)


γ_P1 = make_γ_P1(share_P, P, s_1)


def make_γ_PT(share_P, P, s_T):
    return share_P * E(P, s_T)


γ_PT = make_γ_PT(share_P, P, s_T)


def make_γ_P(T, γ_P1, γ_PT):
    return _choose(_chain([('>', 0.0)], lambda: T, lambda: 1), lambda: smallest(γ_P1, γ_PT), lambda: γ_PT)


γ_P = make_γ_P(T, γ_P1, γ_PT)


def make_γ_Q1(share_Q, Q_0, s_1):
    return -share_Q * E(Q_0, s_1)


γ_Q1 = make_γ_Q1(share_Q, Q_0, s_1)


def make_u_1(ε, T, k_1):
    return _choose(_chain([('>', 0.0)], lambda: T, lambda: 1), lambda: θ(ε) * k_1 * log(2), lambda: 0)


u_1 = make_u_1(ε, T, k_1)


def make_Q_b(Q_0, u_1, s_1):
    return tilt(Q_0, u_1 * s_1)


Q_b = make_Q_b(Q_0, u_1, s_1)


def make_γ_QT(share_Q, Q_b, s_T):
    return -share_Q * E(Q_b, s_T)


γ_QT = make_γ_QT(share_Q, Q_b, s_T)


def make_γ_Q(T, γ_Q1, γ_QT):
    return _choose(_chain([('>', 0.0)], lambda: T, lambda: 1), lambda: smallest(γ_Q1, γ_QT), lambda: γ_QT)


γ_Q = make_γ_Q(T, γ_Q1, γ_QT)


def make_u_T(ε, T, k_T):
    return _power(θ(ε), T) * k_T * log(2)


u_T = make_u_T(ε, T, k_T)


def make_Q_T(Q_b, u_T, s_T):
    return tilt(Q_b, u_T * s_T)


Q_T = make_Q_T(Q_b, u_T, s_T)


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
    return _chain([('>=', 0.0)], lambda: Δ, lambda: _divide(ε, 2) * (_divide(γ_P + γ_Q, 2) * (1 - _power(θ(ε), T))))


found = statement(Δ, ε, T, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
