def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def example():
    return {'ε': 5, 'T': 50}


ε = example()['ε']
T = example()['T']


def statement(ε, T):
    return _chain([('<=', 0.0)], lambda: steps(ε, T) - steps(ε, 3), lambda: _divide(_literal('0.02') * ε, 4 * log(2)))


found = statement(ε, T)
assert not (all(found) if isinstance(found, tuple) else found)
