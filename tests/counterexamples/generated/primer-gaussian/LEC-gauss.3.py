def c(δ):
    return sqrt(2 * log(_divide(_literal('1.25'), δ)))


def g(ε, μ):
    return Q(_divide(ε, μ) - _divide(μ, 2)) - exp(ε) * Q(_divide(ε, μ) + _divide(μ, 2))


def Q(x):
    return normal_tail(x)


def example():
    return {'ε': 20, 'δ': _divide(1, 100)}


ε = example()['ε']
δ = example()['δ']


def statement(ε, δ):
    return _chain([('<=', 0.0)], lambda: g(ε, _divide(ε, c(δ))), lambda: δ)


found = statement(ε, δ)
assert not (all(found) if isinstance(found, tuple) else found)
