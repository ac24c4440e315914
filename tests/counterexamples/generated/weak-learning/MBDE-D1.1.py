def excess(P, Q, a, b):
    return largest((smallest(E(P, c) - a, -E(Q, c) - b) for c in (neyman_pearson(P, Q, x, a, b) for x in range(len(P)))))


def neyman_pearson(P, Q, x, a, b):
    side = [_choose(_chain([('>', 0.0)], lambda: p * Q[x], lambda: q * P[x]), lambda: 1, lambda: _choose(_chain([('<', 0.0)], lambda: p * Q[x], lambda: q * P[x]), lambda: -1, lambda: 0)) for p, q in zip(P, Q)]
    same = [1 - abs(value) for value in side]
    between = _divide(a - b - E(P, side) - E(Q, side), E(P, same) + E(Q, same))
    return [value + tie * smallest(1, largest(-1, between)) for value, tie in zip(side, same)]


def example():
    return {'P': (_divide(1, 2), _divide(1, 2)), 'Q': (_divide(1, 2), _divide(1, 2)), 'γ_P': _divide(1, 10), 'γ_Q': _divide(1, 10)}


P = V(example()['P'])
Q = V(example()['Q'])
γ_P = example()['γ_P']
γ_Q = example()['γ_Q']


def statement(P, Q, γ_P, γ_Q):
    return _chain([('>', 0.0)], lambda: excess(P, Q, γ_P, γ_Q), lambda: 0)


found = statement(P, Q, γ_P, γ_Q)
assert not (all(found) if isinstance(found, tuple) else found)
