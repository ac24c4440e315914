def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def example():
    return {'P': (_divide(2, 3), _divide(1, 3)), 'Q': (_divide(1, 3), _divide(2, 3)), 's': (1, -1), 'scale': 1, 'θ': _divide(1, 2), 'share_P': _divide(9, 10), 'share_Q': _divide(9, 10)}


P = V(example()['P'])
Q = V(example()['Q'])
s = V(example()['s'])
scale = example()['scale']
θ = example()['θ']
share_P = example()['share_P']
share_Q = example()['share_Q']


def make_edge_P(P, s):
    return E(P, s)


edge_P = make_edge_P(P, s)


def make_γ_P(share_P, edge_P):
    return share_P * edge_P


γ_P = make_γ_P(share_P, edge_P)


def make_edge_Q(Q, s):
    return -E(Q, s)


edge_Q = make_edge_Q(Q, s)


def make_γ_Q(share_Q, edge_Q):
    return share_Q * edge_Q


γ_Q = make_γ_Q(share_Q, edge_Q)


def make_c_star(scale):
    return scale * log(2)


c_star = make_c_star(scale)


def make_c(s, c_star):
    return s * c_star


c = make_c(s, c_star)


def make_Qθ(Q, θ, c):
    return tilt(Q, θ * c)


Qθ = make_Qθ(Q, θ, c)


def make_drop(P, Q, Qθ):
    return KL(P, Q) - KL(P, Qθ)


drop = make_drop(P, Q, Qθ)


def make_u(θ, c_star):
    return θ * c_star


u = make_u(θ, c_star)


def hypothesis(γ_P, γ_Q):
    return _every([lambda: _chain([('>', 0.0)], lambda: γ_P, lambda: 0), lambda: _chain([('>', 0.0)], lambda: γ_Q, lambda: 0)])


assert hypothesis(γ_P, γ_Q)


def hypothesis(γ_Q):
    return _chain([('<', 0.0)], lambda: γ_Q, lambda: _divide(1, 3))


assert hypothesis(γ_Q)


def statement(drop, θ, u, γ_P, γ_Q):
    return _chain([('>=', 0.0)], lambda: drop, lambda: θ * (γ_P + γ_Q - _divide(u, 2)))


found = statement(drop, θ, u, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
