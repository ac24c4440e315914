def example():
    return {'d': 1, 'C': 1, 'i': 36}


d = example()['d']
C = example()['C']
i = example()['i']


def make_n(i):
    return _power(_literal('2.0'), i)


n = make_n(i)


def statement(n, d, C):
    return _chain([('<=', 0.0)], lambda: _divide(1, 10 * sqrt(n)), lambda: C * sqrt(log(n)) * _power(n, _divide(-2, d + 2)))


found = statement(n, d, C)
assert not (all(found) if isinstance(found, tuple) else found)
