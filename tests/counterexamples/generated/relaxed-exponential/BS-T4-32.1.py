def example():
    return {'u': (0, 0), 'v': (0, 0), 'd': (1, 0), 'A': (1, 0), 'b': 2}


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


def make_u1(u, v, d, A):
    return A * (u + d) + (1 - A) * v


u1 = make_u1(u, v, d, A)


def make_w1(u1, b):
    return 0 * u1 + [_power(b, x) for x in u1]


w1 = make_w1(u1, b)


def hypothesis(Δ):
    return _chain([('>', 0.0)], lambda: Δ, lambda: 0)


assert hypothesis(Δ)


def hypothesis(A):
    return _chain([('==', 0.0)], lambda: A[0], lambda: 1)


assert hypothesis(A)


def statement(w, w1, u, u1, b, A):
    return _chain([('==', 0.0)], lambda: _divide(_divide(w[0], sum(A * w)), _divide(w1[0], sum(A * w1))), lambda: _power(b, u[0] - u1[0]) * _divide(sum(A * w), sum(A * w1)))


found = statement(w, w1, u, u1, b, A)
assert not (all(found) if isinstance(found, tuple) else found)
