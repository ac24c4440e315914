def example():
    return {'y': _divide(-1, 2), 's': -1, 'Δ': 1, 'σ': 1}


y = example()['y']
s = example()['s']
Δ = example()['Δ']
σ = example()['σ']


def make_loss(y, s, Δ, σ):
    return _divide(abs(_power(y + s * Δ, 2) - _power(y, 2)), 2 * _power(σ, 2))


loss = make_loss(y, s, Δ, σ)


def statement(loss, y, Δ, σ):
    return _chain([('<=', 0.0)], lambda: loss, lambda: _divide(abs(2 * y * Δ + _power(Δ, 2)), 2 * _power(σ, 2)))


found = statement(loss, y, Δ, σ)
assert not (all(found) if isinstance(found, tuple) else found)
