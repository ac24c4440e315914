def same(D, m):
    return _choose(all((_chain([('==', 0.0)], lambda: m * c % sum(D), lambda: 0) for c in D)), lambda: chance(D, [m * c // sum(D) for c in D]), lambda: 0)


def chance(D, N):
    made, placed = (1, 0)
    for c, j in zip(D, N):
        for i in range(j):
            placed = placed + 1
            made = _divide(_divide(made * placed, i + 1) * c, sum(D))
    return made


def example():
    return {'D': (1, 1), 'm': 40}


D = V(example()['D'])
m = example()['m']


def statement(D, m):
    return _chain([('>=', 0.0)], lambda: same(D, m), lambda: _literal('0.9'))


found = statement(D, m)
assert not (all(found) if isinstance(found, tuple) else found)
