def finds(q, mass, region):
    return _every([lambda: _chain([('>=', 0.0)], lambda: sum((m * a for m, a in zip(mass, region))), lambda: _divide(19, 20)), lambda: all((_chain([('>=', 0.0)], lambda: (a - b) * (v - w), lambda: 0) for v, a in zip(q, region) for w, b in zip(q, region)))])


def example():
    return {'low': (1,), 'high': (1,), 'rise': (_divide(38, 39),), 'more': (_divide(40, 39),)}


low = V(example()['low'])
high = V(example()['high'])
rise = V(example()['rise'])
more = V(example()['more'])


def make_q(rise, more):
    return [sum([*rise, *more][:k + 1]) for k in range(2 * len(rise))]


q = make_q(rise, more)


def make_mass(low, high):
    return [*_divide(19, 20) * low, *_divide(1, 20) * high]


mass = make_mass(low, high)


def make_t(q):
    return q[len(q) // 2]


t = make_t(q)


def statement(q, mass, t):
    return finds(q, mass, [_choose(_chain([('<', 0.0)], lambda: v, lambda: t), lambda: 1, lambda: 0) for v in q])


found = statement(q, mass, t)
assert not (all(found) if isinstance(found, tuple) else found)
