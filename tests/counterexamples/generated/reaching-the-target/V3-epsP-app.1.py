def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def sum_of_powers(x, T):
    return _divide(x * (1 - _power(x, T)), 1 - x)


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def example():
    return {'P': (_divide(3, 4), _divide(1, 4)), 'Q_0': (_divide(1, 4), _divide(3, 4)), 's': (1, -1), 'ε': _literal('1000000.0'), 'T': 1000, 'scale': _divide(1, 5), 'ρ': _divide(1, 2)}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s = V(example()['s'])
ε = example()['ε']
T = example()['T']
scale = example()['scale']
ρ = example()['ρ']


def make_γ_P(P, s):
    return E(P, s)


γ_P = make_γ_P(P, s)


def make_before(ε, T, scale, ρ):
    return scale * log(2) * sum_of_powers(θ(ε) * ρ, T - 1)


before = make_before(ε, T, scale, ρ)


def make_γ_Q(Q_0, before, s):
    return -E(tilt(Q_0, before * s), s)


γ_Q = make_γ_Q(Q_0, before, s)


def make_ε_P(P, Q_0):
    return 2 * log(ratio(P, Q_0))


ε_P = make_ε_P(P, Q_0)


def make_U(ε, T, scale, ρ):
    return scale * log(2) * sum_of_powers(θ(ε) * ρ, T)


U = make_U(ε, T, scale, ρ)


def make_Q_T(Q_0, U, s):
    return tilt(Q_0, U * s)


Q_T = make_Q_T(Q_0, U, s)


def hypothesis(γ_P, γ_Q):
    return _every([lambda: _chain([('>=', 0.0)], lambda: γ_P, lambda: _divide(1, 3)), lambda: _chain([('>=', 0.0)], lambda: γ_Q, lambda: _divide(1, 3))])


assert hypothesis(γ_P, γ_Q)


def hypothesis(ε, ε_P):
    return _chain([('>=', 0.0)], lambda: ε, lambda: ε_P)


assert hypothesis(ε, ε_P)


def statement(P, Q_T):
    return _chain([('<=', 0.0)], lambda: KL(P, Q_T), lambda: _divide(1, 10))


found = statement(P, Q_T)
assert not (all(found) if isinstance(found, tuple) else found)
