def example():
    return {'d': 1}


d = example()['d']


def statement(d):
    return _chain([('<', 0.0)], lambda: _divide(4, d + 4), lambda: _divide(1, 2))


found = statement(d)
assert not (all(found) if isinstance(found, tuple) else found)
