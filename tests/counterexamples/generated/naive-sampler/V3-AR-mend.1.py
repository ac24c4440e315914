def KL(P, Q):
    return sum(xlog(P, _divide(P, Q)))


def closest(P, low, high):
    breaks = [_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: _divide(bound, p), lambda: 0) for p, *bounds in zip(P, low, high) for bound in bounds]
    totals, last = ([sum(cut(t * P, low, high)) for t in breaks], largest(breaks))
    s = largest((_choose(_chain([('<=', 0.0)], lambda: total, lambda: 1), lambda: t, lambda: 0) for t, total in zip(breaks, totals)))
    t = smallest((_choose(_chain([('>=', 0.0)], lambda: total, lambda: 1), lambda: t, lambda: last) for t, total in zip(breaks, totals)))
    below, above = (sum(cut(s * P, low, high)), sum(cut(t * P, low, high)))
    made = cut(_choose(_chain([('<', 0.0)], lambda: s, lambda: t), lambda: s + _divide((t - s) * (1 - below), above - below), lambda: s) * P, low, high)
    room = 0 * P + [_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: 0, lambda: most - least) for p, least, most in zip(P, low, high)]
    return made + _choose(_chain([('>', 0.0)], lambda: sum(room), lambda: 0), lambda: _divide(1 - sum(made), sum(room)), lambda: 0) * room


def cut(v, low, high):
    return 0 * v + [smallest(largest(x, least), most) for x, least, most in zip(v, low, high)]


def A(P, r, a):
    return a * (_power(r, 2) * P + sum(P) - P)


def example():
    return {'P': (1, 0, 0), 'Q_0': (_divide(1, 3), _divide(1, 3), _divide(1, 3)), 'own': 0, 'r': _divide(3, 2)}


P = V(example()['P'])
Q_0 = V(example()['Q_0'])
own = example()['own']
r = example()['r']


def make_k(P):
    return len(P)


k = make_k(P)


def make_a(k, r):
    return _divide(1, _power(r, 2) + k - 1)


a = make_a(k, r)


def make_low(Q_0, r, a, own):
    return _choose(_chain([('==', 0.0)], lambda: own, lambda: 1), lambda: a + 0 * Q_0, lambda: _divide(Q_0, r))


low = make_low(Q_0, r, a, own)


def make_high(Q_0, r, a, own):
    return _choose(_chain([('==', 0.0)], lambda: own, lambda: 1), lambda: _power(r, 2) * a + 0 * Q_0, lambda: r * Q_0)


high = make_high(Q_0, r, a, own)


def make_P_hat(P, low, high):
    return closest(P, low, high)


P_hat = make_P_hat(P, low, high)


def make_A_R(P, r, a):
    return A(P, r, a)


A_R = make_A_R(P, r, a)


def statement(P, P_hat, A_R):
    return _chain([('<=', 0.0)], lambda: KL(P, P_hat), lambda: KL(P, A_R))


found = statement(P, P_hat, A_R)
assert not (all(found) if isinstance(found, tuple) else found)
