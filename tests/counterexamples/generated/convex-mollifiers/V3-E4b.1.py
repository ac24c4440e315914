def f(y, b):
    return 1 - _divide(exp(_divide(-y, b)) + exp(_divide(-(1 - y), b)), 2)


def noise(x, y, b):
    return _divide(exp(_divide(-abs(y - x), b)), 2 * b)


def example():
    return {'α': (_divide(1, 2), _divide(1, 2)), 'x': (_divide(1, 4), _divide(3, 4)), 'b': _divide(1, 2), 'y': _divide(1, 2), 'h': _divide(1, 5)}


α = V(example()['α'])
x = V(example()['x'])
b = example()['b']
y = example()['y']
h = example()['h']


def hypothesis(x, y, h):
    return _chain([('>', 0.0)], lambda: smallest(abs(x - y)), lambda: h)


assert hypothesis(x, y, h)


def statement(α, x, y, h, b):
    return all((_chain([('==', 0.0)], lambda: E(α, noise(x, z, b)), lambda: f(z, b)) for z in (y - h, y, y + h)))


found = statement(α, x, y, h, b)
assert not (all(found) if isinstance(found, tuple) else found)
