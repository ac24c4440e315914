def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def example():
    return {'Q': (_divide(1, 2), _divide(1, 2)), 'R': (_divide(1, 2), _divide(1, 2)), 'K': (1, 1), 'K1': (0, 0), 'reads': 1, 'more': 1000}


Q = V(example()['Q'])
R = V(example()['R'])
K = V(example()['K'])
K1 = V(example()['K1'])
reads = example()['reads']
more = example()['more']


def make_K_other(K, K1, reads):
    return _choose(_chain([('==', 0.0)], lambda: reads, lambda: 1), lambda: K1, lambda: K)


K_other = make_K_other(K, K1, reads)


def make_level(Q, R, more):
    return more * ratio(Q, R)


level = make_level(Q, R, more)


def statement(Q, R, K, K_other, level):
    return _chain([('<=', 0.0)], lambda: E(Q, K), lambda: level * E(R, K_other))


found = statement(Q, R, K, K_other, level)
assert not (all(found) if isinstance(found, tuple) else found)
