def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def example():
    return {'w': (_divide(1, 2), _divide(1, 2)), 'N': (_divide(1, 4), _divide(3, 4)), 'part': 1, 'ε': _divide(1, 5), 'T': 1, 's': (-1, 1)}


w = V(example()['w'])
N = V(example()['N'])
part = example()['part']
ε = example()['ε']
T = example()['T']
s = V(example()['s'])


def make_Q_0(w, N, part):
    return (1 - part) * w + part * N


Q_0 = make_Q_0(w, N, part)


def make_C(s, ε, T):
    return steps(ε, T) * log(2) * s


C = make_C(s, ε, T)


def make_Q_T(Q_0, C):
    return tilt(Q_0, C)


Q_T = make_Q_T(Q_0, C)


def statement(Q_T, w, ε):
    return _chain([('<=', 0.0), ('<=', 0.0)], lambda: exp(_divide(-ε, 2)), lambda: _divide(Q_T, w), lambda: exp(_divide(ε, 2)))


found = statement(Q_T, w, ε)
assert not (all(found) if isinstance(found, tuple) else found)
