def Γ(z):
    return log(_divide(4, 5 - 3 * z))


def example():
    return {'x': _divide(1, 3)}


x = example()['x']


def statement(x):
    return _chain([('>=', 0.0)], lambda: Γ(x), lambda: x * log(2))


found = statement(x)
assert not (all(found) if isinstance(found, tuple) else found)
