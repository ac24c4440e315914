def KL_B(P, Q, B):
    return sum(xlog(P, _divide(P, Q)) * B)


def M(B, Q):
    return sum(B * Q)


def integral(f, P, B):
    return sum(f * P * B)


def example():
    return {'P': (_divide(3, 4), _divide(1, 4)), 'Q': (_divide(1, 4), _divide(3, 4)), 'B': (1, 0)}


P = V(example()['P'])
Q = V(example()['Q'])
B = V(example()['B'])


def hypothesis(B):
    return _chain([('==', 0.0)], lambda: largest(B), lambda: 1)


assert hypothesis(B)


def statement(P, Q, B):
    return _chain([('==', 0.0), ('<=', 0.0)], lambda: M(B, P) - M(B, Q), lambda: integral(1 - _divide(P, Q), P, B), lambda: KL_B(P, Q, B))


found = statement(P, Q, B)
assert not (all(found) if isinstance(found, tuple) else found)
