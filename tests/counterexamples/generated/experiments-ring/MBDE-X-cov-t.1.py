def below(law, t):
    v, a, low, wide, b = law
    return sum((_choose(_chain([('<', 0.0)], lambda: x, lambda: t), lambda: m, lambda: 0) for x, m in zip(v, a))) + sum((m * smallest(largest(_divide(t - x, h), 0), 1) for x, h, m in zip(low, wide, b)))


def last(law, s):
    ends = [0, *law[0], *law[2], *law[2] + law[3], 10]
    low = largest((_choose(_chain([('<=', 0.0)], lambda: below(law, t), lambda: s), lambda: t, lambda: 0) for t in ends))
    high = smallest((_choose(_chain([('>', 0.0)], lambda: t, lambda: low), lambda: t, lambda: 10) for t in ends))
    x, y = (upto(law, low), below(law, high))
    return _choose(_chain([('<', 0.0)], lambda: x, lambda: s), lambda: low + _divide((high - low) * (s - x), y - x), lambda: low)


def upto(law, t):
    return below(law, t) + sum((_choose(_chain([('==', 0.0)], lambda: x, lambda: t), lambda: m, lambda: 0) for x, m in zip(law[0], law[1])))


def example():
    return {'v': (1,), 'A': (1,), 'low': (1,), 'wide': (1,), 'B': (1,), 'w': 1, 'h': 1}


v = V(example()['v'])
A = V(example()['A'])
low = V(example()['low'])
wide = V(example()['wide'])
B = V(example()['B'])
w = example()['w']
h = example()['h']


def make_Q(v, A, low, wide, B, w):
    return (v, w * A, low, wide, (1 - w) * B)


Q = make_Q(v, A, low, wide, B, w)


def make_t(Q):
    return last(Q, _divide(19, 20))


t = make_t(Q)


def statement(Q, t):
    return _chain([('==', 0.0)], lambda: below(Q, t), lambda: _divide(19, 20))


found = statement(Q, t)
assert not (all(found) if isinstance(found, tuple) else found)
