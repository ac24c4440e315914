def example():
    return {'d': 1, 'C': 1, 'i': 10}


d = example()['d']
C = example()['C']
i = example()['i']


def make_n(i):
    return _power(_literal('2.0'), i)


n = make_n(i)


def make_floor_(n):
    return _divide(1, 2 * sqrt(2 * n))


floor_ = make_floor_(n)


def statement(floor_, n, d, C):
    return _chain([('<=', 0.0)], lambda: floor_, lambda: C * sqrt(log(n)) * _power(n, _divide(-4, d + 4)))


found = statement(floor_, n, d, C)
assert not (all(found) if isinstance(found, tuple) else found)
