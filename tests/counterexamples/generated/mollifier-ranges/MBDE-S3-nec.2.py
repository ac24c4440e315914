def example():
    return {'b': _divide(1, 2), 't': _divide(1, 10), 'x': 1, 'ε': _divide(1, 5)}


b = example()['b']
t = example()['t']
x = example()['x']
ε = example()['ε']


def make_m(b):
    return _divide(1, 2) + _divide(b, 6)


m = make_m(b)


def make_Q(b, x):
    return 1 + b * (2 * x - 1)


Q = make_Q(b, x)


def hypothesis(t, m, ε):
    return (_chain([('<=', 0.0), ('<=', 0.0)], lambda: exp(-ε), lambda: 1 - t * m, lambda: exp(ε)), _chain([('<=', 0.0), ('<=', 0.0)], lambda: exp(-ε), lambda: 1 + t * (1 - m), lambda: exp(ε)))


assert hypothesis(t, m, ε)


def statement(Q, ε):
    return _chain([('<', 0.0), ('<', 0.0)], lambda: exp(-ε), lambda: Q, lambda: exp(ε))


found = statement(Q, ε)
assert not (all(found) if isinstance(found, tuple) else found)
