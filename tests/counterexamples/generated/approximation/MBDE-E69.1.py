def Γ(z):
    return log(_divide(4, 5 - 3 * z))


def rounds(T):
    return range(1, T + 1)


def example():
    return {'θ_1': _divide(1, 2), 'γ_P': _divide(79, 100), 'γ_Q': _divide(1, 3), 'k': (1,), 'a': (0,), 'b': (0,)}


θ_1 = example()['θ_1']
γ_P = example()['γ_P']
γ_Q = example()['γ_Q']
k = V(example()['k'])
a = V(example()['a'])
b = V(example()['b'])


def make_θ_t(θ_1, k):
    return 0 * k + [_power(θ_1, t) for t in rounds(len(k))]


θ_t = make_θ_t(θ_1, k)


def statement(θ_t, γ_P, γ_Q):
    return _chain([('<=', 0.0)], lambda: -sum(θ_t * (γ_P * log(2) + Γ(γ_Q))), lambda: -(γ_P + γ_Q) * log(2) * sum(θ_t))


found = statement(θ_t, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
