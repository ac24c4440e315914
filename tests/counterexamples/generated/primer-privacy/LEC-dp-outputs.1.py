def events(P):
    sets: list[tuple[int, ...]] = [()]
    for _ in P:
        sets = [(*S, x) for S in sets for x in (0, 1)]
    return sets


def mass(P, S):
    return sum((p * s for p, s in zip(P, S, strict=True)))


def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def single(P, Q, r):
    return largest(0, largest((p - r * q for p, q in zip(P, Q))), largest((q - r * p for p, q in zip(P, Q))))


def example():
    return {'Q': (_divide(1, 3), _divide(1, 3), _divide(1, 3)), 'R': (_divide(1, 12), _divide(1, 12), _divide(5, 6)), 'more': _divide(1, 2)}


Q = V(example()['Q'])
R = V(example()['R'])
more = example()['more']


def make_r(Q, R, more):
    return largest(1, more * ratio(Q, R))


r = make_r(Q, R, more)


def make_δ(Q, R, r):
    return single(Q, R, r)


δ = make_δ(Q, R, r)


def statement(Q, R, r, δ):
    return all((_chain([('<=', 0.0)], lambda: mass(Q, S), lambda: r * mass(R, S) + δ) for S in events(Q)))


found = statement(Q, R, r, δ)
assert not (all(found) if isinstance(found, tuple) else found)
