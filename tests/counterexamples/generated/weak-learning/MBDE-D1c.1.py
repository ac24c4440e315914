def gain(P, Q, f):
    return KL(P, Q) - KL(P, tilt(Q, f))


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def example():
    return {'P': (_divide(15, 16), _divide(1, 16)), 'Q': (_divide(1, 16), _divide(15, 16)), 's': (1, -1), 'scale': 2, 'θ': _divide(1, 2)}


P = V(example()['P'])
Q = V(example()['Q'])
s = V(example()['s'])
scale = example()['scale']
θ = example()['θ']


def make_c_star(scale):
    return scale * log(2)


c_star = make_c_star(scale)


def make_c(s, c_star):
    return s * c_star


c = make_c(s, c_star)


def hypothesis(s):
    return _chain([('>', 0.0)], lambda: largest(s), lambda: smallest(s))


assert hypothesis(s)


def statement(P, Q, s, θ, c):
    return _chain([('>=', 0.0)], lambda: gain(P, Q, θ * log(2) * s), lambda: gain(P, Q, θ * c))


found = statement(P, Q, s, θ, c)
assert not (all(found) if isinstance(found, tuple) else found)
