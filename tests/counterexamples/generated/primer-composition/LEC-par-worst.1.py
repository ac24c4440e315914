def least(P, Q, r):
    return largest(excess(P, Q, r), excess(Q, P, r))


def excess(P, Q, r):
    return sum((largest(p - r * q, 0) for p, q in zip(P, Q, strict=True)))


def first(U):
    return (U[0] + U[1], U[2] + U[3])


def joint(P, Q):
    return [p * q for p in P for q in Q]


def second(U):
    return (U[0] + U[2], U[1] + U[3])


def example():
    return {'U': (_divide(1, 2), 0, 0, _divide(1, 2)), 'W': (0, _divide(1, 2), _divide(1, 2), 0), 'r': 20, 'own': 0}


U = V(example()['U'])
W = V(example()['W'])
r = example()['r']
own = example()['own']


def make_P(U, own):
    return [(1 - own) * v + own * w for v, w in zip(U, joint(first(U), second(U)))]


P = make_P(U, own)


def make_Q(W, own):
    return [(1 - own) * v + own * w for v, w in zip(W, joint(first(W), second(W)))]


Q = make_Q(W, own)


def make_δ(U, W, r):
    return least(first(U), first(W), r)


δ = make_δ(U, W, r)


def make_δ1(U, W, r):
    return least(second(U), second(W), r)


δ1 = make_δ1(U, W, r)


def statement(P, Q, r, δ, δ1):
    return _chain([('<=', 0.0)], lambda: least(P, Q, _power(r, 2)), lambda: δ + δ1)


found = statement(P, Q, r, δ, δ1)
assert not (all(found) if isinstance(found, tuple) else found)
