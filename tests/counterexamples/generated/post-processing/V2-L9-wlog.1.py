def mixed(ρ, maps, Q):
    return sum((w * E(Q, f) for w, f in zip(ρ, maps)))


def ratio(Q, R):
    return largest(largest(_divide(Q, R)), largest(_divide(R, Q)))


def example():
    return {'Q': (_divide(1, 2), _divide(1, 2)), 'R': (_divide(1, 2), _divide(1, 2)), 'f': (1, 1), 'g': (0, 0), 'h': (0, 0), 'more': 2, 'reads': 1, 'u': _divide(3, 4), 'v': 1, 'u1': _divide(1, 4), 'v1': 1}


Q = V(example()['Q'])
R = V(example()['R'])
f = V(example()['f'])
g = V(example()['g'])
h = V(example()['h'])
more = example()['more']
reads = example()['reads']
u = example()['u']
v = example()['v']
u1 = example()['u1']
v1 = example()['v1']


def make_ρ(u, v):
    return (u, (1 - u) * v, (1 - u) * (1 - v))


ρ = make_ρ(u, v)


def make_ρ_other(ρ, u1, v1, reads):
    return _choose(_chain([('==', 0.0)], lambda: reads, lambda: 1), lambda: (u1, (1 - u1) * v1, (1 - u1) * (1 - v1)), lambda: ρ)


ρ_other = make_ρ_other(ρ, u1, v1, reads)


def make_maps(f, g, h):
    return (f, g, h)


maps = make_maps(f, g, h)


def make_level(Q, R, more):
    return more * ratio(Q, R)


level = make_level(Q, R, more)


def statement(Q, R, ρ, ρ_other, maps, level):
    return _chain([('<=', 0.0)], lambda: mixed(ρ, maps, Q), lambda: level * mixed(ρ_other, maps, R))


found = statement(Q, R, ρ, ρ_other, maps, level)
assert not (all(found) if isinstance(found, tuple) else found)
