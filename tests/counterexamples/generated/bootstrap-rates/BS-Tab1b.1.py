def example():
    return {'d': 2}


d = example()['d']


def statement(d):
    return _chain([('>', 0.0)], lambda: smallest(_divide(1, 2), _divide(4, d + 4)), lambda: _divide(2, d + 2))


found = statement(d)
assert not (all(found) if isinstance(found, tuple) else found)
