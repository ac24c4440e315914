def chance(N, h, classes):
    return _choose(_chain([('==', 0.0)], lambda: classes, lambda: 1), lambda: ways(N), lambda: 1) * single(N, h)


def single(N, h):
    return prod((_power(p, j) for p, j in zip(h, N)))


def ways(N):
    return factorial(sum(N)) // prod((factorial(j) for j in N))


def more(D, i):
    return 0 * D + [c + _choose(_chain([('==', 0.0)], lambda: j, lambda: i), lambda: 1, lambda: 0) for j, c in enumerate(D)]


def spread(m, x):
    found = []
    for y in x[:-1]:
        found.append(floor((m - sum(found)) * y))
    return [*found, m - sum(found)]


def smoothed(D, k):
    return 0 * D + [_divide(c + k, sum(D) + k * len(D)) for c in D]


def example():
    return {'rest': (0, 0), 'k': 1, 'c': 1, 'x': (1, 1), 'classes': 0}


rest = V(example()['rest'])
k = example()['k']
c = example()['c']
x = V(example()['x'])
classes = example()['classes']


def make_D(rest):
    return more(rest, 0)


D = make_D(rest)


def make_J(D, k, c):
    return c * (D + k)


J = make_J(D, k, c)


def make_N(J, x):
    return spread(sum(J), x)


N = make_N(J, x)


def make_h(D, k):
    return smoothed(D, k)


h = make_h(D, k)


def statement(J, N, h, classes):
    return _chain([('>=', 0.0)], lambda: chance(J, h, classes), lambda: chance(N, h, classes))


found = statement(J, N, h, classes)
assert not (all(found) if isinstance(found, tuple) else found)
