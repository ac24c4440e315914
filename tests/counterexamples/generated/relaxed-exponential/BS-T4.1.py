def least(P, Q, r):
    return largest(excess(P, Q, r), excess(Q, P, r))


def excess(P, Q, r):
    return sum((largest(p - r * q, 0) for p, q in zip(P, Q, strict=True)))


def example():
    return {'u': (0, -10), 'v': (0, 10), 'd': (-1, 0), 'A': (1, 0), 'b': 2, 'more': _divide(1, 40960)}


u = V(example()['u'])
v = V(example()['v'])
d = V(example()['d'])
A = V(example()['A'])
b = example()['b']
more = example()['more']


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


def make_δ(P, A, more):
    return 1 - (1 - more) * E(P, A)


δ = make_δ(P, A, more)


def hypothesis(Δ):
    return _chain([('>', 0.0)], lambda: Δ, lambda: 0)


assert hypothesis(Δ)


def statement(P, P1, r, δ):
    return _chain([('<=', 0.0)], lambda: least(P, P1, r), lambda: δ)


found = statement(P, P1, r, δ)
assert not (all(found) if isinstance(found, tuple) else found)
