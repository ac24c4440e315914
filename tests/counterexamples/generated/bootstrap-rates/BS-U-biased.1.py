def example():
    return {'D': (1, 1), 'k': 1}


D = V(example()['D'])
k = example()['k']


def make_n(D):
    return sum(D)


n = make_n(D)


def make_N(D, n, k):
    return n + k * len(D)


N = make_N(D, n, k)


def hypothesis(D):
    return _chain([('>=', 0.0)], lambda: sum(D), lambda: 1)


assert hypothesis(D)


def statement(D, n, N, k):
    return _chain([('!=', 0.0)], lambda: _divide(D[0] + k, N), lambda: _divide(D[0], n))


found = statement(D, n, N, k)
assert not (all(found) if isinstance(found, tuple) else found)
