def Γ(z):
    return log(_divide(4, 5 - 3 * z))


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


P = V([fmpq(0, 1), fmpq(1, 1)])
Q = V([fmpq(1, 2), fmpq(1, 2)])
s = V([fmpq(-1, 1), fmpq(1, 4)])
scale = fmpq(1, 10)
θ = fmpq(1, 2)
share_P = fmpq(1, 1)
share_Q = fmpq(1, 1)


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


def hypothesis(γ_P, γ_Q):
    return _every([lambda: _chain([('>', 0.0)], lambda: γ_P, lambda: 0), lambda: _chain([('>', 0.0)], lambda: γ_Q, lambda: 0)])


assert hypothesis(γ_P, γ_Q)


def statement(drop, θ, c_star, γ_P, γ_Q):
    return _chain([('>', 0.0)], lambda: drop, lambda: θ * (c_star * γ_P - log(exp(-Γ(γ_Q)))))


found = statement(drop, θ, c_star, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
