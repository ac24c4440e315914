def Γ(z):
    return log(_divide(4, 5 - 3 * z))


def rounds(T):
    return range(1, T + 1)


def example():
    return {'θ_1': _divide(1, 2), 'γ_P': _divide(49, 100), 'γ_Q': _divide(49, 100), 'k': (_divide(1, 10),), 'a': (0,), 'b': (0,)}


θ_1 = example()['θ_1']
γ_P = example()['γ_P']
γ_Q = example()['γ_Q']
k = V(example()['k'])
a = V(example()['a'])
b = V(example()['b'])


def make_θ_t(θ_1, k):
    return 0 * k + [_power(θ_1, t) for t in rounds(len(k))]


θ_t = make_θ_t(θ_1, k)


def make_c_t(k):
    return k * log(2)


c_t = make_c_t(k)


def make_γ_Pt(γ_P, a):
    return γ_P + a * (1 - γ_P)


γ_Pt = make_γ_Pt(γ_P, a)


def make_γ_Qt(γ_Q, b):
    return γ_Q + b * (1 - γ_Q)


γ_Qt = make_γ_Qt(γ_Q, b)


def statement(θ_t, c_t, γ_P, γ_Q, γ_Pt, γ_Qt):
    return _chain([('<=', 0.0)], lambda: -sum(θ_t * (c_t * γ_Pt + Γ(γ_Qt))), lambda: -sum(θ_t * (γ_P * log(2) + Γ(γ_Q))))


found = statement(θ_t, c_t, γ_P, γ_Q, γ_Pt, γ_Qt)
assert not (all(found) if isinstance(found, tuple) else found)
