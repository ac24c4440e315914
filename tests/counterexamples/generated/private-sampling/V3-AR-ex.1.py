def f(x, y, b):
    return _divide(exp(_divide(-abs(y - x), b)), 2)


def example():
    return {'x': _divide(1, 2), 'z': 0, 'y': 0, 'b': 1}


x = example()['x']
z = example()['z']
y = example()['y']
b = example()['b']


def make_inside(x, b):
    return 1 - f(x, 0, b) - f(x, 1, b)


inside = make_inside(x, b)


def statement(inside):
    return _chain([('==', 0.0)], lambda: inside, lambda: 1)


found = statement(inside)
assert not (all(found) if isinstance(found, tuple) else found)
