def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def example():
    return {'Q_0': (_divide(1, 3), _divide(2, 3)), 'N': (_divide(2, 3), _divide(1, 3)), 'part': 1, 'ε': _divide(1, 10), 'T': 1, 's': (-1, 1), 'y': (1, -1)}


Q_0 = V(example()['Q_0'])
N = V(example()['N'])
part = example()['part']
ε = example()['ε']
T = example()['T']
s = V(example()['s'])
y = V(example()['y'])


def make_Q_T(Q_0, s, ε, T):
    return tilt(Q_0, steps(ε, T) * log(2) * s)


Q_T = make_Q_T(Q_0, s, ε, T)


def make_R_0(Q_0, N, part):
    return (1 - part) * Q_0 + part * N


R_0 = make_R_0(Q_0, N, part)


def make_R_T(R_0, y, ε, T):
    return tilt(R_0, steps(ε, T) * log(2) * y)


R_T = make_R_T(R_0, y, ε, T)


def statement(Q_T, R_T, ε):
    return _chain([('<=', 0.0)], lambda: largest(_divide(Q_T, R_T)), lambda: exp(ε))


found = statement(Q_T, R_T, ε)
assert not (all(found) if isinstance(found, tuple) else found)
