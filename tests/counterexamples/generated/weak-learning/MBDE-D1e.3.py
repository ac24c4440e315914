def m_stumps(P, Q):
    return largest((smallest(t * (2 * sum(P[:k]) - 1), t * (1 - 2 * sum(Q[:k]))) for k in range(len(P) + 1) for t in (1, -1)))


def example():
    return {'P': (_divide(1, 2), 0, _divide(1, 2)), 'Q': (0, 1, 0), 'γ': 0}


P = V(example()['P'])
Q = V(example()['Q'])
γ = example()['γ']


def make_TV(P, Q):
    return _divide(sum(abs(P - Q)), 2)


TV = make_TV(P, Q)


def hypothesis(P, Q, γ):
    return _chain([('<=', 0.0)], lambda: m_stumps(P, Q), lambda: γ)


assert hypothesis(P, Q, γ)


def statement(TV, γ):
    return _chain([('<=', 0.0)], lambda: TV, lambda: _divide(2 * γ, 1 + γ))


found = statement(TV, γ)
assert not (all(found) if isinstance(found, tuple) else found)
