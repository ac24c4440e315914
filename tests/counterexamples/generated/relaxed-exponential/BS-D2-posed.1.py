def step(u, u1, R):
    return largest(R * abs(u - u1))


def fits(P, R, δ):
    return _chain([('>=', 0.0)], lambda: E(P, R), lambda: 1 - δ)


def mechanism(u, Δ, ρ):
    return _divide(weight(u, Δ, ρ), sum(weight(u, Δ, ρ)))


def weight(u, Δ, ρ):
    return 0 * u + [_power(ρ, _divide(1, Δ) * x) for x in u]


def example():
    return {'u': (0, -10), 'u1': (-1, 10), 'R': (1, 0), 'T': (1, 1), 'ρ': 2, 'δ': _divide(1, 1000)}


u = V(example()['u'])
u1 = V(example()['u1'])
R = V(example()['R'])
T = V(example()['T'])
ρ = example()['ρ']
δ = example()['δ']


def make_ΔR(u, u1, R):
    return step(u, u1, R)


ΔR = make_ΔR(u, u1, R)


def make_ΔT(u, u1, T):
    return step(u, u1, T)


ΔT = make_ΔT(u, u1, T)


def make_P(u, ΔR, ρ):
    return mechanism(u, ΔR, ρ)


P = make_P(u, ΔR, ρ)


def make_Q(u, ΔT, ρ):
    return mechanism(u, ΔT, ρ)


Q = make_Q(u, ΔT, ρ)


def hypothesis(ΔR, ΔT):
    return (_chain([('>', 0.0)], lambda: ΔR, lambda: 0), _chain([('>', 0.0)], lambda: ΔT, lambda: 0))


assert hypothesis(ΔR, ΔT)


def hypothesis(P, Q, R, T, δ):
    return _every([lambda: fits(P, R, δ), lambda: fits(Q, T, δ)])


assert hypothesis(P, Q, R, T, δ)


def statement(P, Q):
    return _chain([('==', 0.0)], lambda: P, lambda: Q)


found = statement(P, Q)
assert not (all(found) if isinstance(found, tuple) else found)
