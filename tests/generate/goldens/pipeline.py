def start():
    "Learn what this rank is."
    global rank
    rank = world.Get_rank()
    check_ranks(RANKS)


def chain():
    if rank > 0:
        at(1)
        # pipeline.c:16
        pending.add(world.Irecv(arriving(250, MPI.INT), source=rank - 1, tag=0))
    for j in range(8):
        at(2)
        pending.wait((None, 0, 0, 0, 0, 0, 0, 0)[j] if rank < 3 else None)  # pipeline.c:18
        if rank > 0:
            at(3)
            pending.wait(0)  # pipeline.c:22
            if j < 7:
                at(4)
                # pipeline.c:26
                pending.add(world.Irecv(arriving(250, MPI.INT), source=rank - 1, tag=0))
        if rank < 3:
            at(5)
            # pipeline.c:31
            pending.add(world.Isend(outgoing(250, MPI.INT), dest=rank + 1, tag=0))
    at(6)
    pending.wait(None if rank == 3 else 0)  # pipeline.c:35


def pass_part():
    for _ in range(3):
        at(7)
        world.Sendrecv(
            outgoing(SENDCOUNT_2.next() if rank % 2 == 0 else SENDCOUNT.next(), MPI.INT),
            dest=(rank + 1) % RANKS,
            sendtag=1,
            recvbuf=incoming(
                RECVCOUNT_2.next() if rank % 2 == 0 else RECVCOUNT.next(),
                MPI.INT,
            ),
            source=(rank - 1) % RANKS,
            recvtag=1,
        )  # pipeline.c:51


def pass_part_2():
    for _ in range(3):
        at(8)
        world.Sendrecv(
            outgoing(SENDCOUNT_4.next() if rank % 2 == 0 else SENDCOUNT_3.next(), MPI.INT),
            dest=(rank + 1) % RANKS,
            sendtag=1,
            recvbuf=incoming(
                RECVCOUNT_4.next() if rank % 2 == 0 else RECVCOUNT_3.next(),
                MPI.INT,
            ),
            source=(rank - 1) % RANKS,
            recvtag=1,
        )  # pipeline.c:51


def ring_sum():
    pass_part()  # pipeline.c:64
    pass_part_2()  # pipeline.c:71


def main():
    MPI.Init()  # pipeline.c:81
    start()
    at(0)
    for _ in range(3):
        chain()  # pipeline.c:90
        ring_sum()  # pipeline.c:91
    at(9)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96
    at(10)
    MPI.Finalize()  # pipeline.c:95
