def example():
    return {'P': (_divide(3, 4), _divide(1, 4)), 'Q': (_divide(1, 4), _divide(3, 4)), 'y': (_divide(9, 10), _divide(1, 10))}


P = V(example()['P'])
Q = V(example()['Q'])
y = V(example()['y'])


def hypothesis(P, Q):
    return _chain([('>', 0.0)], lambda: largest(abs(P - Q)), lambda: 0)


assert hypothesis(P, Q)


def statement(P, Q, y):
    return _every([lambda: _chain([('>', 0.0)], lambda: E(P, y), lambda: 0), lambda: _chain([('>', 0.0)], lambda: E(Q, -y), lambda: 0)])


found = statement(P, Q, y)
assert not (all(found) if isinstance(found, tuple) else found)
