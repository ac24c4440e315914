def moment(θ):
    return exp(_divide(_power(θ, 2), 2))


def example():
    return {'a': 1, 'b': 1, 'θ': 1, 'own': 0}


a = example()['a']
b = example()['b']
θ = example()['θ']
own = example()['own']


def make_of_sum(a, b, θ, own):
    return _choose(_chain([('==', 0.0)], lambda: own, lambda: 1), lambda: moment(θ * a) * moment(θ * b), lambda: _divide(moment(θ * (a + b)) + moment(θ * (a - b)), 2))


of_sum = make_of_sum(a, b, θ, own)


def statement(of_sum, θ, a, b):
    return _chain([('==', 0.0)], lambda: of_sum, lambda: moment(θ * sqrt(_power(a, 2) + _power(b, 2))))


found = statement(of_sum, θ, a, b)
assert not (all(found) if isinstance(found, tuple) else found)
