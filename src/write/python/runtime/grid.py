def neighbor(*steps, wraps=()):
    """The rank so many steps along each dimension of the grid; nobody beyond a border where it does not wrap."""
    place, found, stride = rank, 0, 1
    for dimension, (step, extent) in enumerate(zip(steps, GRID)):
        to = place % extent + step
        if not 0 <= to < extent and not (wraps and wraps[dimension]):
            return MPI.PROC_NULL
        found += to % extent * stride
        place //= extent
        stride *= extent
    return found
