def least(P, Q, r):
    return largest(excess(P, Q, r), excess(Q, P, r))


def excess(P, Q, r):
    return sum((largest(p - r * q, 0) for p, q in zip(P, Q, strict=True)))


def parts(D, ranks):
    at_even = _some([lambda: _chain([('>', 0.0)], lambda: D[1], lambda: 1), lambda: _every([lambda: _chain([('==', 0.0)], lambda: D[1], lambda: 1), lambda: _chain([('==', 0.0)], lambda: D[0] % 2, lambda: 1)])])
    return (_choose(_chain([('>', 0.0)], lambda: D[0], lambda: 0), lambda: 1, lambda: 0), _choose(_chain([('==', 0.0)], lambda: ranks, lambda: 1), lambda: _choose(at_even, lambda: 1, lambda: 0), lambda: _choose(_chain([('>', 0.0)], lambda: D[1], lambda: 0), lambda: 1, lambda: 0)))


def told(yes, r, shared):
    truth = [[_divide(_choose(_chain([('==', 0.0)], lambda: o, lambda: b), lambda: r, lambda: 1), 1 + r) for o in (0, 1)] for b in yes]
    right = [sum((_choose(_chain([('==', 0.0)], lambda: o, lambda: b), lambda: 1, lambda: 0) for o, b in zip(out, yes))) for out in ((0, 0), (0, 1), (1, 0), (1, 1))]
    together = [_divide(_choose(_chain([('==', 0.0)], lambda: n, lambda: 2), lambda: r, lambda: _choose(_chain([('==', 0.0)], lambda: n, lambda: 0), lambda: 1, lambda: 0)), 1 + r) for n in right]
    return [_choose(_chain([('==', 0.0)], lambda: shared, lambda: 1), lambda: a, lambda: b) for a, b in zip(together, joint(truth[0], truth[1]))]


def joint(P, Q):
    return [p * q for p in P for q in Q]


def example():
    return {'C': (0, 1, 0), 'a': 0, 'b': 0, 'leaves': 0, 'ranks': 1, 'shared': 0, 'r': 2}


C = V(example()['C'])
a = example()['a']
b = example()['b']
leaves = example()['leaves']
ranks = example()['ranks']
shared = example()['shared']
r = example()['r']


def make_D(C, b, leaves):
    return [c + _choose(_chain([('==', 0.0)], lambda: k, lambda: b), lambda: leaves, lambda: 0) for k, c in enumerate(C)]


D = make_D(C, b, leaves)


def make_P(D, ranks, r, shared):
    return told(parts(D, ranks), r, shared)


P = make_P(D, ranks, r, shared)


def make_D1(C, a):
    return [c + _choose(_chain([('==', 0.0)], lambda: k, lambda: a), lambda: 1, lambda: 0) for k, c in enumerate(C)]


D1 = make_D1(C, a)


def make_Q(D1, ranks, r, shared):
    return told(parts(D1, ranks), r, shared)


Q = make_Q(D1, ranks, r, shared)


def statement(P, Q, r):
    return _chain([('==', 0.0)], lambda: least(P, Q, r), lambda: 0)


found = statement(P, Q, r)
assert not (all(found) if isinstance(found, tuple) else found)
