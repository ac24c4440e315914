def example():
    return {'w': _divide(-3, 2), 's': 1, 'Δ': 1, 'σ': 1, 'ε': 1}


w = example()['w']
s = example()['s']
Δ = example()['Δ']
σ = example()['σ']
ε = example()['ε']


def make_y(w, σ, ε, Δ):
    return _divide(w * _power(σ, 2) * ε, Δ) - _divide(Δ, 2)


y = make_y(w, σ, ε, Δ)


def make_loss(y, s, Δ, σ):
    return _divide(abs(_power(y + s * Δ, 2) - _power(y, 2)), 2 * _power(σ, 2))


loss = make_loss(y, s, Δ, σ)


def make_τ(σ, ε, Δ):
    return _divide(_power(σ, 2) * ε, Δ) - _divide(Δ, 2)


τ = make_τ(σ, ε, Δ)


def statement(loss, y, τ, ε):
    return _some([lambda: _chain([('<=', 0.0)], lambda: loss, lambda: ε), lambda: _chain([('>=', 0.0)], lambda: y, lambda: τ)])


found = statement(loss, y, τ, ε)
assert not (all(found) if isinstance(found, tuple) else found)
