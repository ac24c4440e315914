def reached(j, ρ):
    x = _power(ρ, _divide(-1, j + 1))
    return sum((_power(x, r) * (1 - x) for r in range(j + 1)))


def example():
    return {'ρ': 2, 'δ': _divide(1, 10)}


ρ = example()['ρ']
δ = example()['δ']


def statement(ρ, δ):
    return any((_chain([('>=', 0.0)], lambda: reached(j, ρ), lambda: 1 - δ) for j in range(20)))


found = statement(ρ, δ)
assert not (all(found) if isinstance(found, tuple) else found)
