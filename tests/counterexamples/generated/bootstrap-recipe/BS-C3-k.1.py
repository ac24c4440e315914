def root(γ, ε, n, S, l):
    a2, a1, a0 = (ε * S, ε * n - 2 * S * γ * l, (-2 * n * γ - 1) * l)
    return _divide(sqrt(_power(a1, 2) - 4 * a2 * a0) - a1, 2 * a2)


def example():
    return {'γ': _divide(1, 2), 'δ': _divide(1, 2), 'ε': 20, 'n': 10, 'S': 2}


γ = example()['γ']
δ = example()['δ']
ε = example()['ε']
n = example()['n']
S = example()['S']


def make_L(γ, δ):
    return _divide(2, _power(γ, 2)) * log(_divide(2, δ))


L = make_L(γ, δ)


def make_k0(γ, ε, n, S, L):
    return root(γ, ε, n, S, L)


k0 = make_k0(γ, ε, n, S, L)


def statement(k0):
    return _chain([('>=', 0.0)], lambda: ceil(k0), lambda: 2)


found = statement(k0)
assert not (all(found) if isinstance(found, tuple) else found)
