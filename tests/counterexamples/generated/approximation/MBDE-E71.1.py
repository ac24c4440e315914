def rounds(T):
    return range(1, T + 1)


def example():
    return {'θ_1': _divide(1, 2), 'T': 2}


θ_1 = example()['θ_1']
T = example()['T']


def statement(θ_1, T):
    return _chain([('==', 0.0)], lambda: sum((_power(θ_1, t) for t in rounds(T - 1))), lambda: _divide(θ_1 * (1 - _power(θ_1, T)), 1 - θ_1))


found = statement(θ_1, T)
assert not (all(found) if isinstance(found, tuple) else found)
