def log2(n):
    """Floor of the logarithm of a positive number."""
    return n.bit_length() - 1


def integer_root(n, degree):
    """Floor of the square or cube root of a number that is not negative."""
    below, above = 0, n + 1
    while above - below > 1:
        middle = (below + above) // 2
        if middle**degree <= n:
            below = middle
        else:
            above = middle
    return below


def reverse_bits(n, size):
    """The lowest bits of n in reverse order, as many as the power of two `size` has values for."""
    bits = size.bit_length() - 1
    return int(format(n, "b").zfill(bits)[::-1], 2) if bits else 0


def trailing_zeros(n):
    """How often two divides a positive number."""
    return (n & -n).bit_length() - 1
