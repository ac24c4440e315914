def exceeds(P, Q, r):
    return sum((_choose(_chain([('>', 0.0)], lambda: p, lambda: r * q), lambda: p, lambda: 0) for p, q in zip(P, Q)))


def least(P, Q, r):
    return largest(excess(P, Q, r), excess(Q, P, r))


def excess(P, Q, r):
    return sum((largest(p - r * q, 0) for p, q in zip(P, Q, strict=True)))


def example():
    return {'P': (_divide(2, 3), _divide(1, 3)), 'Q': (_divide(1, 3), _divide(2, 3)), 'r': _divide(3, 2)}


P = V(example()['P'])
Q = V(example()['Q'])
r = example()['r']


def make_δ(P, Q, r):
    return least(P, Q, r)


δ = make_δ(P, Q, r)


def statement(P, Q, r, δ):
    return _chain([('<=', 0.0)], lambda: exceeds(P, Q, r), lambda: δ)


found = statement(P, Q, r, δ)
assert not (all(found) if isinstance(found, tuple) else found)
