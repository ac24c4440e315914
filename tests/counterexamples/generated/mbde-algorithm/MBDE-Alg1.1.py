def updated(q, u):
    return _divide(q * exp(u), q * exp(u) + (1 - q) * exp(-u))


def example():
    return {'p': _divide(3, 5), 'q': _divide(1, 2), 'θ': _divide(1, 2)}


p = example()['p']
q = example()['q']
θ = example()['θ']


def hypothesis(p, q):
    return _chain([('!=', 0.0)], lambda: p, lambda: q)


assert hypothesis(p, q)


def statement(p, q, θ):
    return any((_chain([('>', 0.0)], lambda: z * (p - updated(q, z * θ * log(2))), lambda: 0) for z in (1, -1)))


found = statement(p, q, θ)
assert not (all(found) if isinstance(found, tuple) else found)
