def c(δ):
    return sqrt(2 * log(_divide(_literal('1.25'), δ)))


def bound(t):
    return 2 * exp(_divide(-_power(t, 2), 2))


def example():
    return {'ε': _divide(1, 2), 'δ': _power(10, -5)}


ε = example()['ε']
δ = example()['δ']


def make_t(ε, δ):
    return c(δ) - _divide(ε, 2 * c(δ))


t = make_t(ε, δ)


def hypothesis(t):
    return _chain([('>', 0.0)], lambda: t, lambda: 0)


assert hypothesis(t)


def statement(t, δ):
    return _chain([('<=', 0.0)], lambda: bound(t), lambda: δ)


found = statement(t, δ)
assert not (all(found) if isinstance(found, tuple) else found)
