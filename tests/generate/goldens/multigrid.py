def start():
    "Learn what this rank is."
    global rank, x, y, west, south_west, west_2
    rank = world.Get_rank()
    check_ranks(RANKS)
    x = rank % 2
    y = rank // 2
    west = neighbor(-1, 0)
    south_west = neighbor(-1, 1)
    west_2 = neighbor(-1, 0)


def fill_halo(site, sendcount, peer1, peer2):
    at(site)
    world.Sendrecv(
        outgoing(sendcount, MPI.DOUBLE),
        dest=peer1,
        sendtag=0,
        recvbuf=incoming(sendcount, MPI.DOUBLE),
        source=peer2,
        recvtag=0,
    )  # multigrid.c:33
    at(site + 1)
    world.Sendrecv(
        outgoing(sendcount, MPI.DOUBLE),
        dest=peer2,
        sendtag=1,
        recvbuf=incoming(sendcount, MPI.DOUBLE),
        source=peer1,
        recvtag=1,
    )  # multigrid.c:35


def residual_norm(site):
    fill_halo(
        site,
        18,
        MPI.PROC_NULL if rank == 0 else rank - 1,
        MPI.PROC_NULL if rank == 3 else rank + 1,
    )  # multigrid.c:131
    at(site + 2)
    world.Allreduce(MPI.IN_PLACE, incoming(1, MPI.DOUBLE), op=MPI.SUM)  # multigrid.c:133


def smooth(site):
    for _ in range(2):
        fill_halo(
            site,
            18,
            MPI.PROC_NULL if rank == 0 else rank - 1,
            MPI.PROC_NULL if rank == 3 else rank + 1,
        )  # multigrid.c:65


def smooth_2(j):
    for _ in range(2):
        fill_halo(
            8,
            (10, 6, 4)[j],
            (rank + (3 if j < 2 else 2)) % RANKS if rank == 2 else west,
            (1 if j < 2 else 2) if rank == 0 else SOURCE.next() if x == 0 else south_west,
        )  # multigrid.c:65


def smooth_3(j):
    for _ in range(2):
        fill_halo(
            18,
            SENDCOUNT.next() if x == 0 else j * 4 + 6,
            around(world, DEST.next()) if rank == 2 else west,
            SOURCE_4.next() if rank == 0 else SOURCE_3.next() if x == 0 else south_west,
        )  # multigrid.c:65


def v_cycle():
    smooth(4)  # multigrid.c:104
    fill_halo(
        6,
        18,
        MPI.PROC_NULL if rank == 0 else rank - 1,
        MPI.PROC_NULL if rank == 3 else rank + 1,
    )  # multigrid.c:105
    for j in range(3 if x == 0 else 2):
        smooth_2(j)  # multigrid.c:104
        fill_halo(
            10,
            (10, 6, 4)[j],
            (rank + (3, 3, 2)[j]) % RANKS if rank == 2 else west,
            (1, 1, 2)[j] if rank == 0 else (3, 3, MPI.PROC_NULL)[j] if x == 0 else south_west,
        )  # multigrid.c:105
        if x == 0:
            if j > 0 if y == 0 else j == 1:
                at(12)
                world.Recv(
                    incoming((4, 4, 2)[j], MPI.DOUBLE),
                    source=j if y == 0 else 3,
                    tag=j + 11 if y == 0 else 12,
                )  # multigrid.c:115
    if rank > 0:
        at(13)
        world.Send(
            outgoing(2 if x == 0 else 4, MPI.DOUBLE),
            dest=0 if x == 0 else west_2,
            tag=13 if x == 0 else 12,
        )  # multigrid.c:109
        at(14)
        world.Recv(
            incoming(2 if x == 0 else 4, MPI.DOUBLE),
            source=0 if x == 0 else west_2,
            tag=13 if x == 0 else 12,
        )  # multigrid.c:110
    for j in range(3 if x == 0 else 2):
        if rank == 0 or j > 0:
            fill_halo(
                15,
                (3, 4, 6)[j] if rank == 0 else j * 2 + 2 if x == 0 else 6,
                (rank + j + 1) % RANKS if rank == 2 else west,
                around(world, (MPI.PROC_NULL, 2, 1)[j])
                if rank == 0
                else around(world, SOURCE_2.next()) if x == 0 else south_west,
            )  # multigrid.c:119
        if x == 0:
            if j < 2 if y == 0 else j == 1:
                at(17)
                world.Send(
                    outgoing((2, 4)[j], MPI.DOUBLE),
                    dest=2 - j if y == 0 else 3,
                    tag=(13, 12)[j],
                )  # multigrid.c:121
        smooth_3(j)  # multigrid.c:126
    fill_halo(
        20,
        10,
        MPI.PROC_NULL if rank == 0 else rank - 1,
        MPI.PROC_NULL if rank == 3 else rank + 1,
    )  # multigrid.c:119
    smooth(22)  # multigrid.c:126


def main():
    MPI.Init()  # multigrid.c:159
    start()
    at(0)
    residual_norm(1)  # multigrid.c:175
    for _ in range(3):
        SOURCE.restart()
        SOURCE_2.restart()
        SENDCOUNT.restart()
        DEST.restart()
        SOURCE_3.restart()
        SOURCE_4.restart()
        v_cycle()  # multigrid.c:178
        residual_norm(24)  # multigrid.c:179
    at(27)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96
    at(28)
    MPI.Finalize()  # multigrid.c:191
