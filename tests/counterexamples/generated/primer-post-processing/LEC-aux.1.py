def odds(prior, after, r):
    return _every([lambda: _chain([('<=', 0.0)], lambda: after * (1 - prior), lambda: r * prior * (1 - after)), lambda: _chain([('<=', 0.0)], lambda: (1 - after) * prior, lambda: r * (1 - prior) * after)])


def example():
    return {'P': (_divide(1, 100), _divide(99, 100)), 'Q': (0, 1), 'r': 2, 'prior': _divide(1, 2), 'K': (1, 0), 'K1': (1, 0), 'w': 1}


P = V(example()['P'])
Q = V(example()['Q'])
r = example()['r']
prior = example()['prior']
K = V(example()['K'])
K1 = V(example()['K1'])
w = example()['w']


def make_after(prior, P, Q):
    return _divide(prior * P[0], prior * P[0] + (1 - prior) * Q[0])


after = make_after(prior, P, Q)


def hypothesis(P, Q):
    return _chain([('>', 0.0)], lambda: P[0] + Q[0], lambda: 0)


assert hypothesis(P, Q)


def statement(prior, after, r):
    return odds(prior, after, r)


found = statement(prior, after, r)
assert not (all(found) if isinstance(found, tuple) else found)
