def most(q, r):
    return smallest(r * q, 1 - _divide(1 - q, r))


def example():
    return {'P': (_divide(2, 5), _divide(3, 5)), 'base': (_divide(4, 5), _divide(1, 5)), 'u': 0, 'r': _divide(5, 4)}


P = V(example()['P'])
base = V(example()['base'])
u = example()['u']
r = example()['r']


def make_Q_0(base, u):
    return (1 - u) * base + _divide(u, len(base))


Q_0 = make_Q_0(base, u)


def statement(P, Q_0, r):
    return all((_some([lambda: _chain([('<', 0.0)], lambda: p, lambda: largest(P)), lambda: _every([lambda: _chain([('<=', 0.0)], lambda: _divide(largest(Q_0), r), lambda: most(q, r)), lambda: _chain([('>=', 0.0)], lambda: sum((smallest(r * b, most(q, r)) for b in Q_0)), lambda: 1)])]) for p, q in zip(P, Q_0)))


found = statement(P, Q_0, r)
assert not (all(found) if isinstance(found, tuple) else found)
