def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def example():
    return {'ε': _divide(1, 4), 'T': 3, 'ρ': 4, 'd': 2}


ε = example()['ε']
T = example()['T']
ρ = example()['ρ']
d = example()['d']


def statement(ε, T, ρ, d):
    return _chain([('>', 0.0)], lambda: steps(ε, T) * d * log(2), lambda: _divide(_power(ρ, 2), 2))


found = statement(ε, T, ρ, d)
assert not (all(found) if isinstance(found, tuple) else found)
