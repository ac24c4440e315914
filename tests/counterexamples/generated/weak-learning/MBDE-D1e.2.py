def m(P, Q):
    return excess(P, Q, 0, 0)


def excess(P, Q, a, b):
    return largest((smallest(E(P, c) - a, -E(Q, c) - b) for c in (neyman_pearson(P, Q, x, a, b) for x in range(len(P)))))


def neyman_pearson(P, Q, x, a, b):
    side = [_choose(_chain([('>', 0.0)], lambda: p * Q[x], lambda: q * P[x]), lambda: 1, lambda: _choose(_chain([('<', 0.0)], lambda: p * Q[x], lambda: q * P[x]), lambda: -1, lambda: 0)) for p, q in zip(P, Q)]
    same = [1 - abs(value) for value in side]
    between = _divide(a - b - E(P, side) - E(Q, side), E(P, same) + E(Q, same))
    return [value + tie * smallest(1, largest(-1, between)) for value, tie in zip(side, same)]


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def example():
    return {'P': (_divide(9, 10), _divide(1, 10)), 'Q': (1 - _divide(1, _power(10, 6)), _divide(1, _power(10, 6))), 'γ': _divide(1, 10)}


P = V(example()['P'])
Q = V(example()['Q'])
γ = example()['γ']


def hypothesis(P, Q, γ):
    return _chain([('<=', 0.0)], lambda: m(P, Q), lambda: γ)


assert hypothesis(P, Q, γ)


def statement(P, Q):
    return _chain([('<=', 0.0)], lambda: KL(P, Q), lambda: 1)


found = statement(P, Q)
assert not (all(found) if isinstance(found, tuple) else found)
