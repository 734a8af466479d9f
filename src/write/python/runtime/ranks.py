def size_of(comm):
    """How many processes ranks of a communicator count: those of the remote group, if there are two."""
    return comm.Get_remote_size() if comm.Is_inter() else comm.Get_size()


def around(comm, steps):
    """The rank so many steps further in a communicator, around it. Constants of MPI stay."""
    size = size_of(comm)
    return (comm.Get_rank() + steps) % size if 0 <= steps < size else steps


def across(comm, bits):
    """The rank that differs in these bits. Constants of MPI stay."""
    return comm.Get_rank() ^ bits if bits >= 0 else bits
