def clip(v, low, high):
    return 0 * v + [smallest(largest(a, least), most) for a, least, most in zip(v, low, high, strict=True)]


def constant(P, Q_0, r):
    breaks = [_choose(_chain([('>', 0.0)], lambda: p, lambda: 0), lambda: _divide(factor * q, p), lambda: 0) for p, q in zip(P, Q_0, strict=True) for factor in (r, _divide(1, r))]
    masses = [sum(clip(t * P, _divide(Q_0, r), r * Q_0)) for t in breaks]
    low = largest((_choose(_chain([('<=', 0.0)], lambda: mass, lambda: 1), lambda: t, lambda: 0) for t, mass in zip(breaks, masses, strict=True)))
    high = smallest((_choose(_chain([('>=', 0.0)], lambda: mass, lambda: 1), lambda: t, lambda: largest(breaks)) for t, mass in zip(breaks, masses, strict=True)))
    below, above = (sum(clip(t * P, _divide(Q_0, r), r * Q_0)) for t in (low, high))
    return _divide(1, _choose(_chain([('<', 0.0)], lambda: low, lambda: high), lambda: low + _divide((high - low) * (1 - below), above - below), lambda: low))


def factor(f, r, mean):
    return _divide(1, largest(1, _divide(largest(f) - mean, r - mean), _divide(mean - smallest(f), mean - _divide(1, r))))


def example():
    return {'P': (_divide(1, 2), _divide(1, 2)), 'w': (1, 0), 'Q_0': (_divide(1, 4), _divide(3, 4)), 'r': 2}


P = V(example()['P'])
w = V(example()['w'])
Q_0 = V(example()['Q_0'])
r = example()['r']


def make_C(P, Q_0, r):
    return constant(P, Q_0, r)


C = make_C(P, Q_0, r)


def make_P_hat(P, Q_0, r, C):
    return clip(_divide(P, C), _divide(Q_0, r), r * Q_0)


P_hat = make_P_hat(P, Q_0, r, C)


def make_P_tilde(P, w):
    return _divide(w * P, sum(w * P))


P_tilde = make_P_tilde(P, w)


def make_image(P_tilde, Q_0, r):
    return clip(_divide(P_tilde, constant(P_tilde, Q_0, r)), _divide(Q_0, r), r * Q_0)


image = make_image(P_tilde, Q_0, r)


def hypothesis(P, w):
    return _chain([('>', 0.0)], lambda: sum(w * P), lambda: 0)


assert hypothesis(P, w)


def statement(P_hat, image, w):
    return (_chain([('==', 0.0)], lambda: sum(image), lambda: 1), _chain([('<=', 0.0)], lambda: smallest(w) * image, lambda: largest(w) * P_hat), _chain([('<=', 0.0)], lambda: smallest(w) * P_hat, lambda: largest(w) * image))


found = statement(P_hat, image, w)
assert not (all(found) if isinstance(found, tuple) else found)
