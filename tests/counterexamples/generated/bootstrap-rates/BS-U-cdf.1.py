def example():
    return {'D': (1, 0), 'M': (1, 0), 'k': 1, 'P': (_divide(1, 2), _divide(1, 2))}


D = V(example()['D'])
M = V(example()['M'])
k = example()['k']
P = V(example()['P'])


def make_h_star(M):
    return 0 * M + [_divide(c, sum(M)) for c in M]


h_star = make_h_star(M)


def make_n(D):
    return sum(D)


n = make_n(D)


def make_N(D, n, k):
    return n + k * len(D)


N = make_N(D, n, k)


def make_h_c(h_star, N, n, k):
    return _divide(N, n) * h_star - _divide(k, n)


h_c = make_h_c(h_star, N, n, k)


def hypothesis(D, M):
    return (_chain([('>=', 0.0)], lambda: sum(D), lambda: 1), _chain([('>=', 0.0)], lambda: sum(M), lambda: 1))


assert hypothesis(D, M)


def statement(h_c):
    return _chain([('>=', 0.0)], lambda: smallest(h_c), lambda: 0)


found = statement(h_c)
assert not (all(found) if isinstance(found, tuple) else found)
