def example():
    return {'P': (1, 0), 'Q': (_divide(1, 2), _divide(1, 2)), 's': (1, -1), 'scale': 1, 'θ': 1}


P = V(example()['P'])
Q = V(example()['Q'])
s = V(example()['s'])
scale = example()['scale']
θ = example()['θ']


def make_c_star(scale):
    return scale * log(2)


c_star = make_c_star(scale)


def statement(P, Q, s, c_star):
    slopes = (sum(Q * exp(_power(4, k) * c_star * (s - largest(s))) * (E(P, s) - s)) for k in range(20))
    return any((_chain([('<=', 0.0)], lambda: slope, lambda: 0) for slope in slopes))


found = statement(P, Q, s, c_star)
assert not (all(found) if isinstance(found, tuple) else found)
