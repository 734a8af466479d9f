def start():
    "Learn what this rank is."
    global rank, x, y, north, south, west, east
    rank = world.Get_rank()
    check_ranks(RANKS)
    x = rank % 2
    y = rank // 2
    north = neighbor(0, -1)
    south = neighbor(0, 1)
    west = neighbor(-1, 0)
    east = neighbor(1, 0)


def trade(site, peer):
    at(site)
    pending.add(world.Irecv(arriving(16, MPI.DOUBLE), source=peer, tag=0))  # stencil2d.c:37
    at(site + 1)
    pending.add(world.Isend(outgoing(16, MPI.DOUBLE), dest=peer, tag=0))  # stencil2d.c:38


def exchange_edges():
    if y == 1:
        trade(2, north)  # stencil2d.c:53
    else:
        trade(4, south)  # stencil2d.c:54
    if x == 1:
        trade(6, west)  # stencil2d.c:55
    else:
        trade(8, east)  # stencil2d.c:56
    at(10)
    pending.waitall(pending.newest(4))  # stencil2d.c:57


def main():
    MPI.Init()  # stencil2d.c:82
    start()
    at(0)
    at(1)
    # stencil2d.c:76
    world.Allreduce(outgoing(1, MPI.DOUBLE), incoming(1, MPI.DOUBLE), op=MPI.MAX)
    for i in range(20):
        exchange_edges()  # stencil2d.c:107
        if i % 5 == 4:
            at(11)
            # stencil2d.c:76
            world.Allreduce(outgoing(1, MPI.DOUBLE), incoming(1, MPI.DOUBLE), op=MPI.MAX)
    at(12)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96
    at(13)
    MPI.Finalize()  # stencil2d.c:123
