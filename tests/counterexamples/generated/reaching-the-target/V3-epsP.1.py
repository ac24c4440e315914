def example():
    return {'w': 0, 'k': 1, 'x': 64}


w = example()['w']
k = example()['k']
x = example()['x']


def make_modes(x, k):
    return _divide(sum((_divide(exp(_divide(_power(x, 2), 2) - _divide(_power(x - m, 2), 2 * _power(v, k))), sqrt(_power(v, k))) for m, v in ((_literal('0.3'), _literal('0.01')), (_literal('0.5'), _literal('0.1')), (_literal('0.7'), _literal('0.1'))))), 3)


modes = make_modes(x, k)


def make_ratio(w, modes):
    return w + (1 - w) * modes


ratio = make_ratio(w, modes)


def statement(ratio):
    return _chain([('<=', 0.0)], lambda: abs(log(ratio)), lambda: log(1000))


found = statement(ratio)
assert not (all(found) if isinstance(found, tuple) else found)
