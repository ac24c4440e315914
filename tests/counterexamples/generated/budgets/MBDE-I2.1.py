def laplace(Δ, ε):
    return 2 * _power(_divide(Δ, ε), 2)


def example():
    return {'k': 2, 'Δ': 1, 'ε': 1}


k = example()['k']
Δ = example()['Δ']
ε = example()['ε']


def statement(k, Δ, ε):
    return _chain([('==', 0.0)], lambda: laplace(Δ, _divide(ε, k)), lambda: k * laplace(Δ, ε))


found = statement(k, Δ, ε)
assert not (all(found) if isinstance(found, tuple) else found)
