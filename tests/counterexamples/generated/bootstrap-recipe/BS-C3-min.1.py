def root(γ, ε, n, S, l):
    a2, a1, a0 = (ε * S, ε * n - 2 * S * γ * l, (-2 * n * γ - 1) * l)
    return _divide(sqrt(_power(a1, 2) - 4 * a2 * a0) - a1, 2 * a2)


def U(γ, ε, n, S, k):
    return _divide(ε, (_divide(1, n + k * S) + 2 * γ) * log1p(_divide(1, k)))


def example():
    return {'γ': _divide(2, 5), 'δ': _divide(9, 10), 'ε': _divide(41, 10), 'n': 1, 'S': 2}


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


def make_k(k0):
    return largest(2, ceil(k0))


k = make_k(k0)


def hypothesis(k0):
    return _chain([('>', 0.0)], lambda: k0, lambda: 2)


assert hypothesis(k0)


def statement(γ, ε, n, S, L, k):
    return _chain([('>', 0.0)], lambda: ceil(L), lambda: U(γ, ε, n, S, k - 1))


found = statement(γ, ε, n, S, L, k)
assert not (all(found) if isinstance(found, tuple) else found)
