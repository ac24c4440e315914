def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def rounds(T):
    return range(1, T + 1)


def example():
    return {'e_P': _divide(4, 5), 'e_Q': _divide(1, 2), 'share': _literal('0.9999'), 'ε': 4 * log(2), 'k': (1, 1, 1, 1, 1), 'own': 0}


e_P = example()['e_P']
e_Q = example()['e_Q']
share = example()['share']
ε = example()['ε']
k = V(example()['k'])
own = example()['own']


def make_γ_Q(share, e_Q):
    return share * e_Q


γ_Q = make_γ_Q(share, e_Q)


def make_T(k):
    return len(k)


T = make_T(k)


def make_c_t(k, own):
    return (1 + own * (k - 1)) * log(2)


c_t = make_c_t(k, own)


def make_u(ε, T, c_t):
    return [_power(θ(ε), t) for t in rounds(T)] * c_t


u = make_u(ε, T, c_t)


def make_Δ(u, e_P, e_Q):
    return sum(u * e_P - log(_divide(1 - e_Q, 2) * exp(u) + _divide(1 + e_Q, 2) * exp(-u)))


Δ = make_Δ(u, e_P, e_Q)


def make_γ_P(share, e_P):
    return share * e_P


γ_P = make_γ_P(share, e_P)


def hypothesis(γ_Q):
    return _chain([('>=', 0.0)], lambda: γ_Q, lambda: _divide(1, 3))


assert hypothesis(γ_Q)


def statement(Δ, ε, T, γ_P, γ_Q):
    return _chain([('>=', 0.0)], lambda: Δ, lambda: _divide(ε, 2) * (_divide(γ_P + γ_Q, 2) * (1 - _power(θ(ε), T))))


found = statement(Δ, ε, T, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
