def up(x):
    return _literal('1.0') * ceil(x)


def noise(n, s, k, m):
    N = n + k * s
    square = _divide(1, 4) - _divide(_divide(_divide(n, 4), N), N)
    return _divide(_divide(_divide(N, n), sqrt(m)) * square * sqrt(_divide(square, _divide(3, 16) + _divide(1, 4 * m))), 2)


def example():
    return {'d': 4, 'b': 8, 'C': 1, 'z': 2, 'ε': _divide(1, 2), 'δ': _divide(1, 100)}


d = example()['d']
b = example()['b']
C = example()['C']
z = example()['z']
ε = example()['ε']
δ = example()['δ']


def make_r(b):
    return _literal('2.0') * b


r = make_r(b)


def make_m(r):
    return _power(r, 8)


m = make_m(r)


def make_n(r, d):
    return _power(r, d + 4)


n = make_n(r, d)


def make_l(δ):
    return log(_divide(2, δ))


l = make_l(δ)


def make_k(z, m, l, ε):
    return up(_divide(z * 2 * sqrt(2 * m * l), ε))


k = make_k(z, m, l, ε)


def make_s(r, d):
    return _power(r, 2 * d)


s = make_s(r, d)


def make_γ(l, m):
    return sqrt(_divide(2 * l, m))


γ = make_γ(l, m)


def hypothesis(m, n, k, s, γ, ε):
    return _chain([('<=', 0.0)], lambda: m * (_divide(1, n + k * s) + 2 * γ) * log1p(_divide(1, k)), lambda: ε)


assert hypothesis(m, n, k, s, γ, ε)


def statement(n, s, k, m, d, C):
    return _chain([('<=', 0.0)], lambda: noise(n, s, k, m), lambda: C * sqrt(log(n)) * _power(n, _divide(-4, d + 4)))


found = statement(n, s, k, m, d, C)
assert not (all(found) if isinstance(found, tuple) else found)
