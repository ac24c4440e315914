def noise(n, s, k, m):
    N = n + k * s
    square = _divide(1, 4) - _divide(_divide(_divide(n, 4), N), N)
    return _divide(_divide(_divide(N, n), sqrt(m)) * square * sqrt(_divide(square, _divide(3, 16) + _divide(1, 4 * m))), 2)


def example():
    return {'d': 8, 'b': 100, 'C': 1, 'k': 1}


d = example()['d']
b = example()['b']
C = example()['C']
k = example()['k']


def make_r(b):
    return _literal('2.0') * b


r = make_r(b)


def make_n(r, d):
    return _power(r, d + 4)


n = make_n(r, d)


def make_s(r, d):
    return _power(r, 2 * d)


s = make_s(r, d)


def make_m(r):
    return _power(r, 8)


m = make_m(r)


def statement(n, s, k, m, d, C):
    return _chain([('<=', 0.0)], lambda: noise(n, s, k, m), lambda: C * sqrt(log(n)) * _power(n, _divide(-4, d + 4)))


found = statement(n, s, k, m, d, C)
assert not (all(found) if isinstance(found, tuple) else found)
