def take_sizes():
    """The sizes of the problem, from options that are taken off the command line."""
    parser = argparse.ArgumentParser(add_help=False)
    for name, (least, most, *_) in SIZES.items():
        alone = least == most
        parser.add_argument(f"--{name}", type=int, required=not alone, default=least if alone else None)
    if "-h" in sys.argv or "--help" in sys.argv:
        return {}
    taken, sys.argv[1:] = parser.parse_known_args()
    return vars(taken)


def is_among(n, least, most, multiple, shape):
    """Whether a number is one of a range: a multiple of another number, and a square or the like."""
    root = math.isqrt(n) if n > 0 else 0
    cube = next(k for k in itertools.count() if k**3 >= n)
    holds = {
        "any": True,
        "square": root * root == n,
        "twice a square": n % 2 == 0 and math.isqrt(n // 2) ** 2 * 2 == n,
        "oblong": root * (root + 1) == n,
        "cube": cube**3 == n,
        "power of two": n & (n - 1) == 0,
    }
    return least <= n <= most and n % multiple == 0 and holds[shape]


def check_numbers(ranks, words):
    """Stop if the program was started on a number of ranks, or for a size, that it is not known for."""
    wrong = [] if is_among(ranks, *ADMITTED) else [f"this program runs on {words}, not on {ranks} ranks"]
    for name, admitted in SIZES.items():
        if not is_among(sizes[name], *admitted):
            wrong.append(f"this program is not known for --{name} {sizes[name]}")
    if wrong:
        if world.Get_rank() == 0:
            print("\n".join(wrong), file=sys.stderr, flush=True)
        world.Abort(1)


def balanced(n, dimensions):
    """Extents, ascending: the prime factors of n, the largest first, each to the least extent so far."""
    factors, rest, p = [], n, 2
    while p * p <= rest:
        while rest % p == 0:
            factors.append(p)
            rest //= p
        p += 1
    if rest > 1:
        factors.append(rest)
    extents = [1] * dimensions
    for f in reversed(factors):
        extents[extents.index(min(extents))] *= f
    return sorted(extents)


class Curve:
    """A time that follows from the number of ranks and the sizes: terms, each of a factor [fs] and of powers of
    variables, in sixths, times powers of their logarithms."""

    def __init__(self, *terms):
        self.terms = terms

    def next(self):
        variables = {"ranks": RANKS, **sizes}
        ns = 0.0
        for factor, *powers in self.terms:
            term = factor * 1e-6
            for name, sixths, logs in powers:
                term *= variables[name] ** (sixths / 6) * math.log2(variables[name]) ** logs
            ns += term
        return ns
