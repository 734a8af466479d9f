def start():
    "Learn what this rank is."
    global rank, x, y, north, west, south, east
    rank = world.Get_rank()
    check_ranks(RANKS)
    x = rank % 2
    y = rank // 2
    north = neighbor(0, -1)
    west = neighbor(-1, 0)
    south = neighbor(0, 1)
    east = neighbor(1, 0)


def receive_edges(site, active1, tag1, matched_source1, active2, tag2, matched_source2):
    if active1:
        at(site)
        world.Recv(incoming(8, MPI.INT), source=MPI.ANY_SOURCE, tag=tag1)  # wavefront.c:26
    if active2:
        at(site + 1)
        world.Recv(incoming(6, MPI.INT), source=MPI.ANY_SOURCE, tag=tag2)  # wavefront.c:26


def send_edges(site, active1, dest1, tag1, active2, dest2, tag2):
    if active1:
        at(site)
        world.Send(outgoing(8, MPI.INT), dest=dest1, tag=tag1)  # wavefront.c:46
    if active2:
        at(site + 1)
        world.Send(outgoing(6, MPI.INT), dest=dest2, tag=tag2)  # wavefront.c:50


def sweep():
    for _ in range(8):
        receive_edges(1, y == 1, 0, north, x == 1, 1, west)  # wavefront.c:80
        send_edges(3, y == 0, south, 0, x == 0, east, 1)  # wavefront.c:82


def sweep_2():
    for _ in range(8):
        receive_edges(5, y == 0, 2, south, x == 0, 3, east)  # wavefront.c:80
        send_edges(7, y == 1, north, 2, x == 1, west, 3)  # wavefront.c:82


def main():
    MPI.Init()  # wavefront.c:90
    start()
    at(0)
    for _ in range(3):
        sweep()  # wavefront.c:109
        sweep_2()  # wavefront.c:110
        at(9)
        # wavefront.c:112
        world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)
    at(10)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96
    at(11)
    MPI.Finalize()  # wavefront.c:119
