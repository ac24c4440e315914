def example():
    return {'q': _divide(1, 2), 'p': _divide(1, 3), 'x': 3, 'ε': 2 * log(_divide(3, 2))}


q = example()['q']
p = example()['p']
x = example()['x']
ε = example()['ε']


def make_Q(q, x):
    return (1 - q) * _power(q, x)


Q = make_Q(q, x)


def make_R(p, x):
    return (1 - p) * _power(p, x)


R = make_R(p, x)


def hypothesis(p, q):
    return _chain([('<', 0.0)], lambda: p, lambda: q)


assert hypothesis(p, q)


def statement(Q, R, ε):
    return _chain([('<=', 0.0)], lambda: Q, lambda: exp(ε) * R)


found = statement(Q, R, ε)
assert not (all(found) if isinstance(found, tuple) else found)
