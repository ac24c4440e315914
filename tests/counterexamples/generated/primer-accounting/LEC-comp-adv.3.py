def response(ε, r, K):
    mass, total = (_divide(1, _power(1 + r, K)), 0)
    for b in range(K + 1):
        total = total + mass * largest(0, 1 - exp(ε - (2 * b - K) * log(r)))
        mass = _divide(mass * r * (K - b), b + 1)
    return total


def example():
    return {'K': 100, 'r': 3, 'δ': _divide(1, 100000)}


K = example()['K']
r = example()['r']
δ = example()['δ']


def make_ε0(r):
    return log(r)


ε0 = make_ε0(r)


def statement(K, r, ε0, δ):
    return _chain([('<=', 0.0)], lambda: response(sqrt(K) * ε0 * (sqrt(2 * log(_divide(1, δ))) + _divide(1, 2)), r, K), lambda: δ)


found = statement(K, r, ε0, δ)
assert not (all(found) if isinstance(found, tuple) else found)
