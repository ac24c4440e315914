def lazy():
    return [[[_divide(1, 2), _divide(1, 2)], [_divide(1, 2), _divide(1, 2)]] for _ in range(5)]


def run(L, Q, proposals):
    laws = [L]
    for K in proposals:
        laws.append(step(laws[-1], Q, K))
    return laws


def step(L, Q, K):
    n, f = (range(len(L)), [_divide(a, b) for a, b in zip(L, Q)])
    return 0 * L + [L[x] + sum(((f[y] - f[x]) * smallest(Q[x] * K[x][y], Q[y] * K[y][x]) for y in n)) for x in n]


def example():
    return {'Q': (_divide(1, 2), _divide(1, 2)), 'Q1': (_divide(2, 3), _divide(1, 3)), 'N': (1, 0), 'fixed': 1}


Q = V(example()['Q'])
Q1 = V(example()['Q1'])
N = V(example()['N'])
fixed = example()['fixed']


def make_L0(Q, N, fixed):
    return Q + fixed * (N - Q)


L0 = make_L0(Q, N, fixed)


def make_L1(Q1, N, fixed):
    return Q1 + fixed * (N - Q1)


L1 = make_L1(Q1, N, fixed)


def make_e(Q, Q1):
    return largest(largest(_divide(Q, Q1)), largest(_divide(Q1, Q)))


e = make_e(Q, Q1)


def statement(Q, Q1, L0, L1, e):
    return all((_chain([('<=', 0.0)], lambda: L, lambda: e * M) for L, M in zip(run(L0, Q, lazy()), run(L1, Q1, lazy()))))


found = statement(Q, Q1, L0, L1, e)
assert not (all(found) if isinstance(found, tuple) else found)
