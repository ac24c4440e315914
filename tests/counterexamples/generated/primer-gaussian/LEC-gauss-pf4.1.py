def outside(t):
    return _choose(_chain([('>', 0.0)], lambda: t, lambda: 0), lambda: 2 * Q(t), lambda: 1)


def Q(x):
    return normal_tail(x)


def c(δ):
    return sqrt(2 * log(_divide(_literal('1.25'), δ)))


def example():
    return {'ε': 5, 'δ': _power(10, -5)}


ε = example()['ε']
δ = example()['δ']


def make_t(ε, δ):
    return c(δ) - _divide(ε, 2 * c(δ))


t = make_t(ε, δ)


def statement(t, δ):
    return _chain([('<=', 0.0)], lambda: outside(t), lambda: δ)


found = statement(t, δ)
assert not (all(found) if isinstance(found, tuple) else found)
