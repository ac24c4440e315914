def least(P, Q, r):
    return largest(excess(P, Q, r), excess(Q, P, r))


def excess(P, Q, r):
    return sum((largest(p - r * q, 0) for p, q in zip(P, Q, strict=True)))


def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def example():
    return {'P': (_divide(4, 5), _divide(1, 5)), 'Q': (_divide(1, 5), _divide(4, 5)), 'share': _divide(2, 3), 'δ': _divide(1, 5)}


P = V(example()['P'])
Q = V(example()['Q'])
share = example()['share']
δ = example()['δ']


def make_r0(P, Q):
    return ratio(P, Q)


r0 = make_r0(P, Q)


def make_r(r0, share):
    return 1 + share * (r0 - 1)


r = make_r(r0, share)


def statement(P, Q, r, δ):
    return _some([lambda: _chain([('==', 0.0)], lambda: least(P, Q, r), lambda: 0), lambda: _chain([('>', 0.0)], lambda: least(P, Q, r), lambda: δ)])


found = statement(P, Q, r, δ)
assert not (all(found) if isinstance(found, tuple) else found)
