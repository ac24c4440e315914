def example():
    return {'n': 1, 'S': 2, 'k': 1, 'p': 0, 'q': 0, 'γ': _divide(1, 10)}


n = example()['n']
S = example()['S']
k = example()['k']
p = example()['p']
q = example()['q']
γ = example()['γ']


def make_a(n, k, S):
    return _divide(1, n + k * S)


a = make_a(n, k, S)


def make_x1(n, k, a, p):
    return (k + 1 + p * (n - 1)) * a


x1 = make_x1(n, k, a, p)


def statement(x1, a, γ):
    return _chain([('>=', 0.0)], lambda: _divide((x1 + γ) * a, x1 * (x1 - a)) + log(_divide(x1 - a, x1)), lambda: _divide((x1 + γ) * a, x1 * (x1 - a)) - _divide(a, x1))


found = statement(x1, a, γ)
assert not (all(found) if isinstance(found, tuple) else found)
