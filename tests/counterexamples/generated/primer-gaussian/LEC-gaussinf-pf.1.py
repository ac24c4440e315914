def bound(t):
    return 2 * exp(_divide(-_power(t, 2), 2))


def example():
    return {'K': 1, 'β': _divide(1, 4)}


K = example()['K']
β = example()['β']


def statement(K, β):
    return _chain([('<=', 0.0)], lambda: K * bound(sqrt(log(_divide(K, β)))), lambda: β)


found = statement(K, β)
assert not (all(found) if isinstance(found, tuple) else found)
