def log_ratio(y, f, f1, b, b1):
    return sum((_divide(abs(v - q), b1) - _divide(abs(v - p), b) + log(_divide(b1, b)) for v, p, q in zip(y, f, f1)))


def F(D, K, h):
    return [_divide(sum((kernel(_divide(v, K) - x, h) for x in D)), len(D)) for v in range(K + 1)]


def kernel(x, h):
    return _divide(exp(_divide(-_power(_divide(x, h), 2), 2)), h * sqrt(2 * _pi()))


def learned(D):
    return _choose(_chain([('>', 0.0)], lambda: score(D, _divide(1, 50)), lambda: score(D, _divide(1, 5))), lambda: _divide(1, 50), lambda: _divide(1, 5))


def score(x, h):
    n = range(len(x))
    return _divide(sum((log(_divide(sum((kernel(x[i] - x[j], h) for j in n if _chain([('!=', 0.0)], lambda: j, lambda: i))), len(x) - 1)) for i in n)), len(x))


def noise(h, other, common):
    return _choose(_chain([('==', 0.0)], lambda: common, lambda: 1), lambda: 2 * largest(G(10, h), G(10, other)), lambda: 2 * G(10, h))


def G(K, h):
    return sum((kernel(_divide(i, K), h) for i in range(-20, 21)))


def example():
    return {'D': [_divide(i, 10) for i in (1, 1, 3, 3, 5, 5, 7, 7, 9, 9)], 'x': _divide(4, 5), 'fixed': 0, 'common': 0, 'H': _divide(1, 5)}


D = V(example()['D'])
x = example()['x']
fixed = example()['fixed']
common = example()['common']
H = example()['H']


def make_h(D, fixed, H):
    return _choose(_chain([('==', 0.0)], lambda: fixed, lambda: 1), lambda: H, lambda: learned(D))


h = make_h(D, fixed, H)


def make_f(D, h):
    return F(D, 10, h)


f = make_f(D, h)


def make_D1(D, x):
    return [*D[:-1], x]


D1 = make_D1(D, x)


def make_h1(D1, fixed, H):
    return _choose(_chain([('==', 0.0)], lambda: fixed, lambda: 1), lambda: H, lambda: learned(D1))


h1 = make_h1(D1, fixed, H)


def make_f1(D1, h1):
    return F(D1, 10, h1)


f1 = make_f1(D1, h1)


def make_b(D, h, h1, common):
    return _divide(noise(h, h1, common), len(D))


b = make_b(D, h, h1, common)


def make_b1(D, h, h1, common):
    return _divide(noise(h1, h, common), len(D))


b1 = make_b1(D, h, h1, common)


def statement(f, f1, b, b1):
    return all((_chain([('<=', 0.0)], lambda: abs(log_ratio(y, f, f1, b, b1)), lambda: 1) for y in (f1, [100] * 11)))


found = statement(f, f1, b, b1)
assert not (all(found) if isinstance(found, tuple) else found)
