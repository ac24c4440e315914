def moved(f, g, p):
    return sum((_power(abs(a - b), p) for a, b in zip(f, g)))


def named(D):
    return [sum((_choose(_some([lambda: _chain([('==', 0.0)], lambda: k, lambda: a), lambda: _chain([('==', 0.0)], lambda: k, lambda: b)]), lambda: 1, lambda: 0) for a, b in D)) for k in (1, 2, 3, 4)]


def example():
    return {'first': (1, 0), 'other': (2, 0), 'most': 2, 'swapped': 0}


first = V(example()['first'])
other = V(example()['other'])
most = example()['most']
swapped = example()['swapped']


def make_second(other, most):
    return (most - 1) * other


second = make_second(other, most)


def make_D(first, second):
    return list(zip(first, second))


D = make_D(first, second)


def make_x(D):
    return D[0]


x = make_x(D)


def make_y(D, swapped):
    return (swapped * D[1][0], swapped * D[1][1])


y = make_y(D, swapped)


def make_Δ(D, x, y):
    return moved(named(D[2:] + [x]), named(D[2:] + [y]), 1)


Δ = make_Δ(D, x, y)


def statement(Δ):
    return _chain([('<=', 0.0)], lambda: Δ, lambda: 1)


found = statement(Δ)
assert not (all(found) if isinstance(found, tuple) else found)
