def run(L, Q, proposals):
    laws = [L]
    for K in proposals:
        laws.append(step(laws[-1], Q, K))
    return laws


def step(L, Q, K):
    n, f = (range(len(L)), [_divide(a, b) for a, b in zip(L, Q)])
    return 0 * L + [L[x] + sum(((f[y] - f[x]) * smallest(Q[x] * K[x][y], Q[y] * K[y][x]) for y in n)) for x in n]


def example():
    return {'Q0': (_divide(1, 5), _divide(4, 5)), 'c': (-1, 1), 'c1': (1, -1), 'q': 2, 'N': (0, 1), 'fixed': 1, 'k0': (0, 1), 'k1': (1, 0), 'k2': (1, 0), 'k3': (1, 0)}


Q0 = V(example()['Q0'])
c = V(example()['c'])
c1 = V(example()['c1'])
q = example()['q']
N = V(example()['N'])
fixed = example()['fixed']
k0 = V(example()['k0'])
k1 = V(example()['k1'])
k2 = V(example()['k2'])
k3 = V(example()['k3'])


def make_L0(Q0, N, fixed):
    return Q0 + fixed * (N - Q0)


L0 = make_L0(Q0, N, fixed)


def make_v(c, q):
    return _divide(1, q) + _divide((q - _divide(1, q)) * (1 + c), 2)


v = make_v(c, q)


def make_Q(Q0, v):
    return _divide(Q0 * v, E(Q0, v))


Q = make_Q(Q0, v)


def make_v1(c1, q):
    return _divide(1, q) + _divide((q - _divide(1, q)) * (1 + c1), 2)


v1 = make_v1(c1, q)


def make_Q1(Q0, v1):
    return _divide(Q0 * v1, E(Q0, v1))


Q1 = make_Q1(Q0, v1)


def make_K(k0, k1, k2, k3):
    return [[(k0, k1, k2, k3)[(x + n) % len(k0)] for x in range(len(k0))] for n in range(5)]


K = make_K(k0, k1, k2, k3)


def statement(L0, Q, Q1, K, q):
    return all((_chain([('<=', 0.0)], lambda: L, lambda: _power(q, 4) * L1) for L, L1 in zip(run(L0, Q, K), run(L0, Q1, K))))


found = statement(L0, Q, Q1, K, q)
assert not (all(found) if isinstance(found, tuple) else found)
