def missed(u, K):
    return -expm1(K * log1p(-2 * Q(u)))


def Q(x):
    return normal_tail(x)


def example():
    return {'K': 1, 'β': _divide(1, 20)}


K = example()['K']
β = example()['β']


def statement(K, β):
    return _chain([('<=', 0.0)], lambda: missed(sqrt(log(_divide(K, β))), K), lambda: β)


found = statement(K, β)
assert not (all(found) if isinstance(found, tuple) else found)
