def start():
    "Learn what this rank is."
    global rank
    rank = world.Get_rank()
    check_ranks(RANKS)


def sums(j):
    if j == 0:
        at(1)
        # reductions.c:36
        world.Reduce(outgoing(3, MPI.INT), incoming(3, MPI.INT), op=MPI.SUM, root=ROOT.next())
        at(2)
        # reductions.c:39
        world.Allreduce(outgoing(3, MPI.INT), incoming(3, MPI.INT), op=MPI.SUM)
    if j == 1:
        at(3)
        world.Scan(outgoing(3, MPI.INT), incoming(3, MPI.INT), op=MPI.SUM)  # reductions.c:47
        at(4)
        world.Exscan(outgoing(3, MPI.INT), incoming(3, MPI.INT), op=MPI.SUM)  # reductions.c:50
    if j == 2:
        at(5)
        world.Reduce_scatter_block(
            outgoing(3, MPI.INT, blocks=RANKS),
            incoming(3, MPI.INT),
            op=MPI.SUM,
        )  # reductions.c:63
        at(6)
        world.Reduce_scatter(
            outgoing(sum([1, 2, 3, 1]), MPI.INT),
            incoming([1, 2, 3, 1][world.Get_rank()], MPI.INT),
            recvcounts=[1, 2, 3, 1],
            op=MPI.SUM,
        )  # reductions.c:67
    if j == 3:
        at(7)
        # reductions.c:81
        world.Allreduce(outgoing(1, MPI.DOUBLE_INT), incoming(1, MPI.DOUBLE_INT), op=MPI.MINLOC)
    if j > 3:
        at(8)
        types[0] = MPI.UINT32_T.Create_contiguous(2)  # reductions.c:102
        at(9)
        types[0].Commit()  # reductions.c:103
        at(10)
        ops[0] = MPI.Op.Create(nothing, commute=False)  # reductions.c:104
        at(11)
        # reductions.c:105
        world.Allreduce(outgoing(1, types[0]), incoming(1, types[0]), op=ops[0])
        at(12)
        ops[0].Free()  # reductions.c:106
        at(13)
        types[0].Free()  # reductions.c:107


def sums_2(j):
    if j == 0:
        at(14)
        world.Reduce(
            outgoing(3, MPI.INT, at=SENDBUF.next()),
            incoming(3, MPI.INT),
            op=MPI.SUM,
            root=ROOT_2.next(),
        )  # reductions.c:36
        at(15)
        world.Allreduce(MPI.IN_PLACE, incoming(3, MPI.INT), op=MPI.SUM)  # reductions.c:39
    if j == 1:
        at(16)
        world.Scan(MPI.IN_PLACE, incoming(3, MPI.INT), op=MPI.SUM)  # reductions.c:47
        at(17)
        world.Exscan(MPI.IN_PLACE, incoming(3, MPI.INT), op=MPI.SUM)  # reductions.c:50
    if j == 2:
        at(18)
        # reductions.c:63
        world.Reduce_scatter_block(MPI.IN_PLACE, incoming(3, MPI.INT, blocks=RANKS), op=MPI.SUM)
        at(19)
        world.Reduce_scatter(
            MPI.IN_PLACE,
            incoming(sum([1, 2, 3, 1]), MPI.INT),
            recvcounts=[1, 2, 3, 1],
            op=MPI.SUM,
        )  # reductions.c:67
    if j == 3:
        at(20)
        # reductions.c:81
        world.Allreduce(MPI.IN_PLACE, incoming(1, MPI.DOUBLE_INT), op=MPI.MINLOC)
    if j > 3:
        at(21)
        types[0] = MPI.UINT32_T.Create_contiguous(2)  # reductions.c:102
        at(22)
        types[0].Commit()  # reductions.c:103
        at(23)
        ops[0] = MPI.Op.Create(nothing, commute=False)  # reductions.c:104
        at(24)
        world.Allreduce(MPI.IN_PLACE, incoming(1, types[0]), op=ops[0])  # reductions.c:105
        at(25)
        ops[0].Free()  # reductions.c:106
        at(26)
        types[0].Free()  # reductions.c:107


def verdict():
    at(27)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96


def main():
    at(0)
    MPI.Init()  # reductions.c:114
    start()
    for _ in range(3):
        for j in range(5):
            sums(j)  # reductions.c:126
            sums_2(j)  # reductions.c:127
    verdict()  # reductions.c:130
    at(28)
    MPI.Finalize()  # reductions.c:131
