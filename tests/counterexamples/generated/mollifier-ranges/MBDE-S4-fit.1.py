def factor(f, r, mean):
    return _divide(1, largest(1, _divide(largest(f) - mean, r - mean), _divide(mean - smallest(f), mean - _divide(1, r))))


def example():
    return {'w': (_divide(1, 2), _divide(1, 2)), 'P': (_divide(1, 3), _divide(2, 3)), 'μ': 4, 'r': _divide(3, 2)}


w = V(example()['w'])
P = V(example()['P'])
μ = example()['μ']
r = example()['r']


def make_f(P, w, μ):
    return _divide(P, μ * w)


f = make_f(P, w, μ)


def make_a(f, r, μ):
    return factor(f, r, _divide(1, μ))


a = make_a(f, r, μ)


def statement(f, a, μ, r):
    return (_chain([('>', 0.0)], lambda: a, lambda: 0), _chain([('<=', 0.0), ('<=', 0.0)], lambda: _divide(1, r), lambda: a * f + _divide(1 - a, μ), lambda: r))


found = statement(f, a, μ, r)
assert not (all(found) if isinstance(found, tuple) else found)
