def F(D, K, h):
    return [_divide(sum((kernel(_divide(v, K) - x, h) for x in D)), len(D)) for v in range(K + 1)]


def kernel(x, h):
    return _divide(exp(_divide(-_power(_divide(x, h), 2), 2)), h * sqrt(2 * _pi()))


def apart(F, F1):
    return sum((abs(p - q) for p, q in zip(F, F1)))


def G(K, h):
    return sum((kernel(_divide(i, K), h) for i in range(-20, 21)))


def example():
    return {'D': (_divide(1, 4), _divide(1, 4)), 'D1': (_divide(3, 4), _divide(3, 4)), 'k': 1}


D = V(example()['D'])
D1 = V(example()['D1'])
k = example()['k']


def make_moved(D, D1):
    return apart(F(D, 20, _divide(1, 64)), F(D1, 20, _divide(1, 64)))


moved = make_moved(D, D1)


def make_b(D):
    return _divide(2 * G(20, _divide(1, 64)), len(D))


b = make_b(D)


def statement(moved, k, b):
    return _chain([('<=', 0.0)], lambda: moved, lambda: k * b)


found = statement(moved, k, b)
assert not (all(found) if isinstance(found, tuple) else found)
