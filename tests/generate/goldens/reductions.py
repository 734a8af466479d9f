def start():
    "Learn what this rank is."
    global rank
    rank = world.Get_rank()
    check_ranks(RANKS)


def sums(site, sendbuf1, recvbuf, root, sendbuf2):
    at(site)
    world.Reduce(
        outgoing(3, MPI.INT, at=sendbuf1),
        incoming(3, MPI.INT, at=recvbuf),
        op=MPI.SUM,
        root=root,
    )  # reductions.c:36
    at(site + 1)
    # reductions.c:39
    world.Allreduce(outgoing(3, MPI.INT, at=sendbuf2), incoming(3, MPI.INT), op=MPI.SUM)


def prefixes(site, sendbuf):
    at(site)
    # reductions.c:47
    world.Scan(outgoing(3, MPI.INT, at=sendbuf), incoming(3, MPI.INT), op=MPI.SUM)
    at(site + 1)
    # reductions.c:50
    world.Exscan(outgoing(3, MPI.INT, at=sendbuf), incoming(3, MPI.INT), op=MPI.SUM)


def parts(site, sendbuf):
    at(site)
    world.Reduce_scatter_block(
        outgoing(3, MPI.INT, blocks=RANKS, at=sendbuf),
        incoming(3, MPI.INT, blocks=RANKS),
        op=MPI.SUM,
    )  # reductions.c:63
    at(site + 1)
    world.Reduce_scatter(
        outgoing(sum([1, 2, 3, 1]), MPI.INT, at=sendbuf),
        incoming(
            sum([1, 2, 3, 1]) if sendbuf is MPI.IN_PLACE else [1, 2, 3, 1][world.Get_rank()],
            MPI.INT,
        ),
        recvcounts=[1, 2, 3, 1],
        op=MPI.SUM,
    )  # reductions.c:67


def own_operation(site, sendbuf):
    at(site)
    types[0] = MPI.UINT32_T.Create_contiguous(2)  # reductions.c:102
    at(site + 1)
    types[0].Commit()  # reductions.c:103
    at(site + 2)
    ops[0] = MPI.Op.Create(nothing, commute=False)  # reductions.c:104
    at(site + 3)
    # reductions.c:105
    world.Allreduce(outgoing(1, types[0], at=sendbuf), incoming(1, types[0]), op=ops[0])
    at(site + 4)
    ops[0].Free()  # reductions.c:106
    at(site + 5)
    types[0].Free()  # reductions.c:107


def main():
    MPI.Init()  # reductions.c:114
    start()
    at(0)
    for i in range(3):
        for j in range(5):
            if j == 0:
                sums(1, 0, 0, (3, 0, 1)[i], 0)  # reductions.c:126
            if j == 1:
                prefixes(3, 0)  # reductions.c:126
            if j == 2:
                parts(5, 0)  # reductions.c:126
            if j == 3:
                at(7)
                world.Allreduce(
                    outgoing(1, MPI.DOUBLE_INT),
                    incoming(1, MPI.DOUBLE_INT),
                    op=MPI.MINLOC,
                )  # reductions.c:81
            if j == 4:
                own_operation(8, 0)  # reductions.c:126
            if j == 0:
                sums(14, SENDBUF.next(), 0, (3, 0, 1)[i], MPI.IN_PLACE)  # reductions.c:127
            if j == 1:
                prefixes(16, MPI.IN_PLACE)  # reductions.c:127
            if j == 2:
                parts(18, MPI.IN_PLACE)  # reductions.c:127
            if j == 3:
                at(20)
                # reductions.c:81
                world.Allreduce(MPI.IN_PLACE, incoming(1, MPI.DOUBLE_INT), op=MPI.MINLOC)
            if j == 4:
                own_operation(21, MPI.IN_PLACE)  # reductions.c:127
    at(27)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96
    at(28)
    MPI.Finalize()  # reductions.c:131
