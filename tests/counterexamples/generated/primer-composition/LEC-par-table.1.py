def level(D, D1, r):
    found = 1
    for c, c1 in zip(D, D1):
        found = found * largest((_divide(noisy(c, y, r), noisy(c1, y, r)) for y in (-1, 2, 6)))
    return found


def noisy(c, y, r):
    return _divide(_divide(r - 1, r + 1), _power(r, abs(y - c)))


C = V([0, 0, 0, 0, 0, 0, 0, 0])
i = 0
j = 1
leaves = 1
r = fmpq(2, 1)


def make_D(C, i, j, leaves):
    return [c + _choose(_chain([('==', 0.0)], lambda: k, lambda: (i + j) % 8), lambda: leaves, lambda: 0) for k, c in enumerate(C)]


D = make_D(C, i, j, leaves)


def make_D1(C, i):
    return [c + _choose(_chain([('==', 0.0)], lambda: k, lambda: i), lambda: 1, lambda: 0) for k, c in enumerate(C)]


D1 = make_D1(C, i)


def statement(D, D1, r):
    return _chain([('<=', 0.0)], lambda: level(D, D1, r), lambda: r)


found = statement(D, D1, r)
assert not (all(found) if isinstance(found, tuple) else found)
