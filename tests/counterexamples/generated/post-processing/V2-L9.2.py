def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def yes(Q, i, j, k):
    return i * _power(Q[0], 2) + j * 2 * Q[0] * Q[1] + k * _power(Q[1], 2)


def example():
    return {'Q': (_divide(2, 3), _divide(1, 3)), 'R': (_divide(1, 3), _divide(2, 3)), 'i': 1, 'j': 0, 'k': 0}


Q = V(example()['Q'])
R = V(example()['R'])
i = example()['i']
j = example()['j']
k = example()['k']


def statement(Q, R, i, j, k):
    return _chain([('<=', 0.0)], lambda: yes(Q, i, j, k), lambda: ratio(Q, R) * yes(R, i, j, k))


found = statement(Q, R, i, j, k)
assert not (all(found) if isinstance(found, tuple) else found)
