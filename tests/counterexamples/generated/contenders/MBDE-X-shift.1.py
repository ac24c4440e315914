def private(P, Q, f, f1, e):
    return all((_every([lambda: _chain([('<=', 0.0)], lambda: mass(P, f, x), lambda: e * mass(Q, f1, x)), lambda: _chain([('<=', 0.0)], lambda: mass(Q, f1, x), lambda: e * mass(P, f, x))]) for x in [*f, *f1]))


def mass(P, f, x):
    return sum((_choose(_chain([('==', 0.0)], lambda: y, lambda: x), lambda: p, lambda: 0) for p, y in zip(P, f)))


def density(u, v, least):
    return [_choose(_chain([('!=', 0.0)], lambda: a, lambda: b), lambda: _divide(2 * (a - m), a + b - 2 * m), lambda: 1) for a, b, m in zip(u, v, least)]


def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def example():
    return {'P': (_divide(1, 3), _divide(2, 3)), 'Q': (_divide(2, 3), _divide(1, 3)), 'u': (-1, 1), 'v': (1, 1), 's': 4, 's1': 4}


P = V(example()['P'])
Q = V(example()['Q'])
u = V(example()['u'])
v = V(example()['v'])
s = example()['s']
s1 = example()['s1']


def make_f(u, v):
    return density(u, v, [smallest(a, b, 0) for a, b in zip(u, v)])


f = make_f(u, v)


def make_e(P, Q):
    return ratio(P, Q)


e = make_e(P, Q)


def statement(P, Q, f, e):
    return _opposite(private(P, Q, f, f, e))


found = statement(P, Q, f, e)
assert not (all(found) if isinstance(found, tuple) else found)
