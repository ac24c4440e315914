def distance(p, t):
    return xlog(p, _divide(p, t)) + xlog(1 - p, _divide(1 - p, 1 - t))


def example():
    return {'low': _divide(1, 3), 'wide': _divide(1, 6), 'closed': 0, 'up': 1, 'back': 1, 'share': _divide(1, 2)}


low = example()['low']
wide = example()['wide']
closed = example()['closed']
up = example()['up']
back = example()['back']
share = example()['share']


def make_high(low, wide):
    return low + wide


high = make_high(low, wide)


def make_p(high, up):
    return high + up * (1 - high)


p = make_p(high, up)


def make_t(high, wide, closed, back):
    return _choose(_chain([('==', 0.0)], lambda: closed, lambda: 0), lambda: high - back * wide, lambda: high)


t = make_t(high, wide, closed, back)


def make_other(low, wide, share):
    return low + share * wide


other = make_other(low, wide, share)


def statement(p, t, other):
    return _chain([('<=', 0.0)], lambda: distance(p, t), lambda: distance(p, other))


found = statement(p, t, other)
assert not (all(found) if isinstance(found, tuple) else found)
