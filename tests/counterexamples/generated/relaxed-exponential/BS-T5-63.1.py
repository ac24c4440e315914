def chosen(f, h, m, c):
    return _divide(exp(c * u(f, h)), _power(sum((_power(x, _divide(c, m)) for x in h)), m))


def u(f, h):
    return -H(f) - KL(f, h)


def H(f):
    return -sum(xlog(f, f))


def KL(f, h):
    return sum(xlog(f, _divide(f, h)))


def smoothed(D, k):
    return 0 * D + [_divide(c + k, sum(D) + k * len(D)) for c in D]


def more(D, i):
    return 0 * D + [c + _choose(_chain([('==', 0.0)], lambda: j, lambda: i), lambda: 1, lambda: 0) for j, c in enumerate(D)]


def example():
    return {'rest': (0, 0), 'k': 1, 'N': (1, 0), 'x': _divide(5, 2), 'z': _divide(1, 2)}


rest = V(example()['rest'])
k = example()['k']
N = V(example()['N'])
x = example()['x']
z = example()['z']


def make_m(N):
    return sum(N)


m = make_m(N)


def make_D(rest):
    return more(rest, 0)


D = make_D(rest)


def make_h(D, k):
    return smoothed(D, k)


h = make_h(D, k)


def make_f(N, m, h):
    return 0 * h + [_divide(j, m) for j in N]


f = make_f(N, m, h)


def make_n(D):
    return sum(D)


n = make_n(D)


def make_a(n, k, h):
    return _divide(1, n + k * len(h))


a = make_a(n, k, h)


def make_γ(f, h, x):
    return x * largest(abs(f - h))


γ = make_γ(f, h, x)


def make_λ(k):
    return log(_divide(k + 1, k))


λ = make_λ(k)


def make_ε(m, a, γ, λ):
    return 2 * m * (a + 2 * γ) * λ


ε = make_ε(m, a, γ, λ)


def make_Δ(z, a, γ, λ):
    return z * (a + 2 * γ) * λ


Δ = make_Δ(z, a, γ, λ)


def make_c(ε, Δ):
    return _divide(ε, 2 * Δ)


c = make_c(ε, Δ)


def hypothesis(N):
    return _chain([('>', 0.0)], lambda: sum(N), lambda: 0)


assert hypothesis(N)


def statement(f, h, m, c):
    return _chain([('==', 0.0)], lambda: chosen(f, h, m, c), lambda: exp(c * u(f, h)))


found = statement(f, h, m, c)
assert not (all(found) if isinstance(found, tuple) else found)
