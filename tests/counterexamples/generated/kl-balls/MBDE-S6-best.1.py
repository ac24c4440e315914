def example():
    return {'ε': log(2), 's': 1, 'times': 0}


ε = example()['ε']
s = example()['s']
times = example()['times']


def make_δ(ε, times):
    return times * log(1 + exp(-ε))


δ = make_δ(ε, times)


def make_b(ε):
    return _divide(1, 1 + exp(-ε))


b = make_b(ε)


def statement(δ, ε, b, s):
    return _chain([('>=', 0.0)], lambda: _divide(δ + log(b * exp(s * ε) + (1 - b) * exp(-s * ε)), s), lambda: ε)


found = statement(δ, ε, b, s)
assert not (all(found) if isinstance(found, tuple) else found)
