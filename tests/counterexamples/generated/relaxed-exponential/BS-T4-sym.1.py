def example():
    return {'u': (-6, 0, -4), 'v': (0, 0, -10), 'd': (1, -1, 0), 'A': (1, 1, 0), 'b': 2}


u = V(example()['u'])
v = V(example()['v'])
d = V(example()['d'])
A = V(example()['A'])
b = example()['b']


def make_Δ(d, A):
    return largest(A * abs(d))


Δ = make_Δ(d, A)


def make_w(u, b):
    return 0 * u + [_power(b, x) for x in u]


w = make_w(u, b)


def make_P(w):
    return _divide(w, sum(w))


P = make_P(w)


def make_u1(u, v, d, A):
    return A * (u + d) + (1 - A) * v


u1 = make_u1(u, v, d, A)


def make_w1(u1, b):
    return 0 * u1 + [_power(b, x) for x in u1]


w1 = make_w1(u1, b)


def make_P1(w1):
    return _divide(w1, sum(w1))


P1 = make_P1(w1)


def make_r(b, Δ):
    return _power(b, 2 * Δ)


r = make_r(b, Δ)


def hypothesis(Δ):
    return _chain([('>', 0.0)], lambda: Δ, lambda: 0)


assert hypothesis(Δ)


def hypothesis(A):
    return _chain([('==', 0.0)], lambda: A[0], lambda: 1)


assert hypothesis(A)


def statement(P, P1, r):
    return _chain([('>=', 0.0)], lambda: _divide(P[0], P1[0]), lambda: _divide(1, r))


found = statement(P, P1, r)
assert not (all(found) if isinstance(found, tuple) else found)
