def example():
    return {'s': 2, 'd': 2, 'v': 1}


s = example()['s']
d = example()['d']
v = example()['v']


def statement(s, d):
    return any((_chain([('==', 0.0)], lambda: _power(q, d), lambda: s) for q in range(1, 61)))


found = statement(s, d)
assert not (all(found) if isinstance(found, tuple) else found)
