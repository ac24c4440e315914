def tilt(Q, f):
    return _divide(Q * exp(f), sum(Q * exp(f)))


def steps(ε, T):
    return _divide(ε, 4 * log(2)) * (1 - _power(θ(ε), T))


def θ(ε):
    return _divide(ε, ε + 4 * log(2))


def example():
    return {'w': (_divide(1, 2), _divide(1, 2)), 'N': (_divide(1, 4), _divide(3, 4)), 'part': 1, 'η': exp(_divide(1, 2000)) - 1, 'share': 1, 'T': 1, 's': (-1, 1)}


w = V(example()['w'])
N = V(example()['N'])
part = example()['part']
η = example()['η']
share = example()['share']
T = example()['T']
s = V(example()['s'])


def make_Q_0(w, N, part):
    return (1 - part) * w + part * N


Q_0 = make_Q_0(w, N, part)


def make_ε(η, share):
    return share * 2 * log(1 + η)


ε = make_ε(η, share)


def make_C(s, ε, T):
    return steps(ε, T) * log(2) * s


C = make_C(s, ε, T)


def make_Q_T(Q_0, C):
    return tilt(Q_0, C)


Q_T = make_Q_T(Q_0, C)


def statement(Q_T, w, η):
    return _chain([('<=', 0.0)], lambda: abs(_divide(Q_T, w) - 1), lambda: η)


found = statement(Q_T, w, η)
assert not (all(found) if isinstance(found, tuple) else found)
