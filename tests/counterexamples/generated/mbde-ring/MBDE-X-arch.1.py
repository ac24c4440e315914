def example():
    return {'y': (_divide(9, 10), _divide(1, 2))}


y = V(example()['y'])


def statement(y):
    return _chain([('<=', 0.0), ('<=', 0.0)], lambda: -log(2), lambda: y, lambda: log(2))


found = statement(y)
assert not (all(found) if isinstance(found, tuple) else found)
