def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def example():
    return {'P': (_divide(21, 40), _divide(19, 40)), 'Q_0': (_divide(33, 100), _divide(67, 100)), 's': (1, -1), 'T': 1, 'ε': 4, 'more': 16}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s = V(example()['s'])
T = example()['T']
ε = example()['ε']
more = example()['more']


def make_γ_P(P, s):
    return E(P, s)


γ_P = make_γ_P(P, s)


def make_last(Q_0, s, ε, more, T):
    return tilt(Q_0, steps(ε + more, T - 1) * log(2) * s)


last = make_last(Q_0, s, ε, more, T)


def make_γ_Q(last, s):
    return -E(last, s)


γ_Q = make_γ_Q(last, s)


def make_out(Q_0, s, ε, T):
    return tilt(Q_0, steps(ε, T) * log(2) * s)


out = make_out(Q_0, s, ε, T)


def make_later(Q_0, s, ε, more, T):
    return tilt(Q_0, steps(ε + more, T) * log(2) * s)


later = make_later(Q_0, s, ε, more, T)


def hypothesis(γ_P, γ_Q):
    return _every([lambda: _chain([('>', 0.0)], lambda: γ_P, lambda: 0), lambda: _chain([('>', 0.0)], lambda: γ_Q, lambda: 0)])


assert hypothesis(γ_P, γ_Q)


def hypothesis(γ_Q):
    return _chain([('>=', 0.0)], lambda: γ_Q, lambda: _divide(1, 3))


assert hypothesis(γ_Q)


def statement(P, out, later):
    return _chain([('<=', 0.0)], lambda: KL(P, later), lambda: KL(P, out))


found = statement(P, out, later)
assert not (all(found) if isinstance(found, tuple) else found)
