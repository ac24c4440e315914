def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def example():
    return {'P': (_divide(1, 2), _divide(1, 2)), 'Q': (_divide(1, 100), _divide(99, 100)), 'N': (_divide(1, 2), _divide(1, 2)), 'π': _divide(1, 2), 'τ': 1, 'more': _divide(1, 10), 'i': 0, 'j': 1, 'others': 9}


P = V(example()['P'])
Q = V(example()['Q'])
N = V(example()['N'])
π = example()['π']
τ = example()['τ']
more = example()['more']
i = example()['i']
j = example()['j']
others = example()['others']


def make_m(i, j, others):
    return largest(i, j, 1) + others


m = make_m(i, j, others)


def make_ε(π, τ, more):
    return log(largest(_divide(1, τ), _divide(1 - π * τ, 1 - π))) + more


ε = make_ε(π, τ, more)


def statement(P, Q, N, m, ε):
    return _chain([('>=', 0.0)], lambda: smallest(KL(P, Q), KL(P, N)), lambda: largest(KL(P, Q), KL(P, N)) - m * ε)


found = statement(P, Q, N, m, ε)
assert not (all(found) if isinstance(found, tuple) else found)
