def scaled(g, w):
    return _divide(g, sum(w * g))


def example():
    return {'w': (_divide(1, 3), _divide(1, 3), _divide(1, 3)), 'P': (0, 0, 1), 's': (-1, 1, 1), 'η': _divide(1, 10)}


w = V(example()['w'])
P = V(example()['P'])
s = V(example()['s'])
η = example()['η']


def make_F(P, w):
    return _divide(P, w)


F = make_F(P, w)


def make_f(F, s, η):
    return F + η * s


f = make_f(F, s, η)


def make_q(f, w):
    return scaled(f - smallest(smallest(f), 0), w)


q = make_q(f, w)


def statement(q, F, η):
    return _chain([('<=', 0.0)], lambda: largest(abs(q - F)), lambda: η)


found = statement(q, F, η)
assert not (all(found) if isinstance(found, tuple) else found)
