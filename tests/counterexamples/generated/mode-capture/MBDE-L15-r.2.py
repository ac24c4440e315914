def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def exponent(Q, f):
    return f - log(E(Q, exp(f)))


def KL_B(P, Q, B):
    return sum(xlog(P, _divide(P, Q)) * B)


def example():
    return {'P': (_divide(3, 10), _divide(3, 5), _divide(1, 10)), 'Q_0': (_divide(1, 5), _divide(1, 5), _divide(3, 5)), 's': (-1, 1, -1), 'ε': 4 * log(2), 'share': _divide(1, 2), 'B': (1, 0, 0)}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
s = V(example()['s'])
ε = example()['ε']
share = example()['share']
B = V(example()['B'])


def make_L(Q_0, ε, share, s):
    return exponent(Q_0, _divide(share * ε, 4) * s)


L = make_L(Q_0, ε, share, s)


def make_Q_T(Q_0, L):
    return Q_0 * exp(L)


Q_T = make_Q_T(Q_0, L)


def make_Δ(P, Q_0, Q_T):
    return KL(P, Q_0) - KL(P, Q_T)


Δ = make_Δ(P, Q_0, Q_T)


def hypothesis(B):
    return _chain([('==', 0.0), ('>', 0.0)], lambda: largest(B), lambda: 1, lambda: smallest(B))


assert hypothesis(B)


def hypothesis(Δ):
    return _chain([('>', 0.0)], lambda: Δ, lambda: 0)


assert hypothesis(Δ)


def statement(P, Q_0, Q_T, B):
    return _chain([('<=', 0.0)], lambda: KL_B(P, Q_T, B), lambda: KL_B(P, Q_0, B))


found = statement(P, Q_0, Q_T, B)
assert not (all(found) if isinstance(found, tuple) else found)
