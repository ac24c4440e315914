def smoothed(D, k):
    return 0 * D + [_divide(c + k, sum(D) + k * len(D)) for c in D]


def example():
    return {'D': (1, 0), 'k': 2}


D = V(example()['D'])
k = example()['k']


def make_n(D):
    return sum(D)


n = make_n(D)


def make_h(D, k):
    return smoothed(D, k)


h = make_h(D, k)


def make_N(n, k, D):
    return n + k * len(D)


N = make_N(n, k, D)


def hypothesis(n):
    return _chain([('>=', 0.0)], lambda: n, lambda: 1)


assert hypothesis(n)


def statement(h, k, n, N):
    return _chain([('<=', 0.0), ('<=', 0.0)], lambda: _divide(k + 1, N), lambda: h[-1], lambda: _divide(k + n, N))


found = statement(h, k, n, N)
assert not (all(found) if isinstance(found, tuple) else found)
