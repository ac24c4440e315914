def tail(z, r):
    return _divide(_divide(1, 1 + _divide(1, r)), _power(r, z))


def output(o, v, r, cut):
    return _choose(_chain([('==', 0.0)], lambda: cut, lambda: 1), lambda: _choose(_chain([('==', 0.0)], lambda: o, lambda: 0), lambda: tail(v, r), lambda: _choose(_chain([('>', 0.0)], lambda: o, lambda: 0), lambda: noise(o - v, r), lambda: 0)), lambda: noise(o - v, r))


def noise(z, r):
    return _divide(_divide(1 - _divide(1, r), 1 + _divide(1, r)), _power(r, abs(z)))


def example():
    return {'v': 0, 'r': 2, 'cut': 0, 'o': 0}


v = example()['v']
r = example()['r']
cut = example()['cut']
o = example()['o']


def make_negative(v, r, cut):
    return _choose(_chain([('==', 0.0)], lambda: cut, lambda: 1), lambda: 0, lambda: tail(v + 1, r))


negative = make_negative(v, r, cut)


def make_P(o, v, r, cut):
    return output(o, v, r, cut)


P = make_P(o, v, r, cut)


def make_Q(o, v, r, cut):
    return output(o, v + 1, r, cut)


Q = make_Q(o, v, r, cut)


def statement(negative, P, Q, r):
    return _every([lambda: _chain([('==', 0.0)], lambda: negative, lambda: 0), lambda: _chain([('<=', 0.0)], lambda: P, lambda: r * Q), lambda: _chain([('<=', 0.0)], lambda: Q, lambda: r * P)])


found = statement(negative, P, Q, r)
assert not (all(found) if isinstance(found, tuple) else found)
