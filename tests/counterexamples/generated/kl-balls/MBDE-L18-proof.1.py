def example():
    return {'P': (_divide(1, 2), _divide(1, 2)), 'Q': (_divide(1, 100), _divide(99, 100)), 'N': (_divide(1, 2), _divide(1, 2)), 'π': _divide(1, 2), 'τ': 1, 'more': _divide(1, 10), 'i': 0, 'j': 1, 'others': 0}


P = V(example()['P'])
Q = V(example()['Q'])
N = V(example()['N'])
π = example()['π']
τ = example()['τ']
more = example()['more']
i = example()['i']
j = example()['j']
others = example()['others']


def make_d(i, j):
    return abs(i - j)


d = make_d(i, j)


def make_ε(π, τ, more):
    return log(largest(_divide(1, τ), _divide(1 - π * τ, 1 - π))) + more


ε = make_ε(π, τ, more)


def hypothesis(d):
    return _chain([('==', 0.0)], lambda: d, lambda: 1)


assert hypothesis(d)


def statement(Q, N, ε):
    return _chain([('<=', 0.0)], lambda: largest(largest(_divide(Q, N)), largest(_divide(N, Q))), lambda: exp(ε))


found = statement(Q, N, ε)
assert not (all(found) if isinstance(found, tuple) else found)
