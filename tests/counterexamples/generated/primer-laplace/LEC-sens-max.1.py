def change(n, w):
    return abs(n + 1 + _divide(w, n + 2) - (n + _divide(w, n + 1)))


def example():
    return {'w': 1}


w = example()['w']


def statement(w):
    return any((_chain([('>=', 0.0)], lambda: change(n, w), lambda: 1) for n in range(20)))


found = statement(w)
assert not (all(found) if isinstance(found, tuple) else found)
