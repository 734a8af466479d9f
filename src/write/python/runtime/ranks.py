def size_of(comm):
    """How many processes ranks of a communicator count: those of the remote group, if there are two; 1 outside of it."""
    if comm == MPI.COMM_NULL:
        return 1
    return comm.Get_remote_size() if comm.Is_inter() else comm.Get_size()


def rank_in(comm):
    """The rank in a communicator. A process outside may hand it to a function that makes no call with it: it is rank 0."""
    return 0 if comm == MPI.COMM_NULL else comm.Get_rank()


def around(comm, steps):
    """The rank so many steps further in a communicator, around it. Constants of MPI stay."""
    size = size_of(comm)
    return (rank_in(comm) + steps) % size if 0 <= steps < size else steps


def across(comm, bits):
    """The rank that differs in these bits. Constants of MPI stay."""
    return rank_in(comm) ^ bits if bits >= 0 else bits
