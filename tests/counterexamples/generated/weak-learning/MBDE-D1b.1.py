def m(P, Q):
    return excess(P, Q, 0, 0)


def excess(P, Q, a, b):
    return largest((smallest(E(P, c) - a, -E(Q, c) - b) for c in (neyman_pearson(P, Q, x, a, b) for x in range(len(P)))))


def neyman_pearson(P, Q, x, a, b):
    side = [_choose(_chain([('>', 0.0)], lambda: p * Q[x], lambda: q * P[x]), lambda: 1, lambda: _choose(_chain([('<', 0.0)], lambda: p * Q[x], lambda: q * P[x]), lambda: -1, lambda: 0)) for p, q in zip(P, Q)]
    same = [1 - abs(value) for value in side]
    between = _divide(a - b - E(P, side) - E(Q, side), E(P, same) + E(Q, same))
    return [value + tie * smallest(1, largest(-1, between)) for value, tie in zip(side, same)]


def example():
    return {'P': (1, 0), 'Q': (_divide(1, 2), _divide(1, 2)), 'c': (1, -1), 'share': 1}


P = V(example()['P'])
Q = V(example()['Q'])
c = V(example()['c'])
share = example()['share']


def make_g(P, Q, c):
    return _divide(E(P, c) - E(Q, c), 2)


g = make_g(P, Q, c)


def make_γ(share, g):
    return share * g


γ = make_γ(share, g)


def statement(P, Q, γ):
    return _chain([('>=', 0.0)], lambda: m(P, Q), lambda: γ)


found = statement(P, Q, γ)
assert not (all(found) if isinstance(found, tuple) else found)
