def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def example():
    return {'ε': 4 * log(2), 'T': 3}


ε = example()['ε']
T = example()['T']


def statement(ε, T):
    return _chain([('<', 0.0)], lambda: sum((θ(ε) for t in range(1, T + 1))), lambda: _divide(ε, 4 * log(2)))


found = statement(ε, T)
assert not (all(found) if isinstance(found, tuple) else found)
