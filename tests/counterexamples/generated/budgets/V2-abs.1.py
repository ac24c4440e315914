def geometric(q):
    return _divide(2 * q, _power(q - 1, 2))


def laplace(Δ, ε):
    return 2 * _power(_divide(Δ, ε), 2)


def example():
    return {'m': 2, 'ε': log(4), 'share': 1, 'scales': 0}


m = example()['m']
ε = example()['ε']
share = example()['share']
scales = example()['scales']


def make_V_m(scales, ε, m, share):
    return _choose(_chain([('==', 0.0)], lambda: scales, lambda: 1), lambda: laplace(largest(1, share * m), ε), lambda: geometric(exp(_divide(ε, m))))


V_m = make_V_m(scales, ε, m, share)


def make_V_1(scales, ε):
    return _choose(_chain([('==', 0.0)], lambda: scales, lambda: 1), lambda: laplace(1, ε), lambda: geometric(exp(ε)))


V_1 = make_V_1(scales, ε)


def statement(V_m, V_1, m):
    return _chain([('<=', 0.0)], lambda: V_m, lambda: _power(m, 2) * V_1)


found = statement(V_m, V_1, m)
assert not (all(found) if isinstance(found, tuple) else found)
