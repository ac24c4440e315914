def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def example():
    return {'P': (1, 0), 'Q': (_divide(1, 2), _divide(1, 2)), 'Q_other': (_divide(1, 3), _divide(2, 3))}


P = V(example()['P'])
Q = V(example()['Q'])
Q_other = V(example()['Q_other'])


def statement(P, Q, Q_other):
    return _chain([('==', 0.0)], lambda: KL(P, Q), lambda: KL(P, Q_other) + E(P, log(_divide(Q, Q_other))))


found = statement(P, Q, Q_other)
assert not (all(found) if isinstance(found, tuple) else found)
