def mass(a, g, low, high):
    return _divide(largest(0, smallest(high, a + g) - largest(low, a)), g)


def example():
    return {'a': 0, 'b': _divide(1, 2), 'g': _divide(1, 2), 'h': _divide(1, 2), 'x': _divide(1, 4), 'y': 0, 'z': _divide(1, 2), 'r': 2}


a = example()['a']
b = example()['b']
g = example()['g']
h = example()['h']
x = example()['x']
y = example()['y']
z = example()['z']
r = example()['r']


def hypothesis(a, b, g, h, x, r):
    return _chain([('<=', 0.0)], lambda: mass(a, g, x, x), lambda: r * mass(b, h, x, x))


assert hypothesis(a, b, g, h, x, r)


def statement(a, b, g, h, y, z, r):
    return _chain([('<=', 0.0)], lambda: mass(a, g, y, y + z), lambda: r * mass(b, h, y, y + z))


found = statement(a, b, g, h, y, z, r)
assert not (all(found) if isinstance(found, tuple) else found)
