def δ():
    return _divide(1, 10)


def q():
    return _divide(128, 10000)


def example():
    return {'T': 9}


T = example()['T']


def make_σ():
    return _divide(2 * q() * sqrt(5 * log(_divide(1, δ()))), 5000)


σ = make_σ()


def make_with_record(T, σ):
    return 1 - _power(1 - q() * normal_tail(_divide(-1, 2 * σ)) - (1 - q()) * normal_tail(_divide(1, 2 * σ)), T)


with_record = make_with_record(T, σ)


def make_without(T, σ):
    return T * normal_tail(_divide(1, 2 * σ))


without = make_without(T, σ)


def statement(with_record, without):
    return _chain([('<=', 0.0)], lambda: with_record, lambda: exp(5000) * without + δ())


found = statement(with_record, without)
assert not (all(found) if isinstance(found, tuple) else found)
