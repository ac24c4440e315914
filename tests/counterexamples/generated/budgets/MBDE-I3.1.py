def laplace(Δ, ε):
    return 2 * _power(_divide(Δ, ε), 2)


def example():
    return {'m': 2, 'ε': 1, 'B': 2, 'averages': 1}


m = example()['m']
ε = example()['ε']
B = example()['B']
averages = example()['averages']


def make_Δ(m, averages):
    return _choose(_chain([('==', 0.0)], lambda: averages, lambda: 1), lambda: _divide(1, m), lambda: 1)


Δ = make_Δ(m, averages)


def hypothesis(m, ε, B):
    return _chain([('>', 0.0)], lambda: m, lambda: ε * sqrt(_divide(B, 2)))


assert hypothesis(m, ε, B)


def statement(Δ, ε, m, B):
    return _chain([('>', 0.0)], lambda: laplace(Δ, _divide(ε, m)), lambda: B)


found = statement(Δ, ε, m, B)
assert not (all(found) if isinstance(found, tuple) else found)
