def start():
    "Learn what this rank is."
    global rank, x, y
    rank = world.Get_rank()
    check_ranks(RANKS)
    x = rank % 2
    y = rank // 2


def use(site, comm_2, dest, source, group):
    at(site)
    comm_2.Allreduce(outgoing(1, MPI.INT), incoming(1, MPI.INT), op=MPI.SUM)  # subcomms.c:16
    at(site + 1)
    comm_2.Sendrecv(
        outgoing(1, MPI.INT),
        dest=dest,
        sendtag=0,
        recvbuf=incoming(1, MPI.INT),
        source=source,
        recvtag=0,
    )  # subcomms.c:17
    at(site + 2)
    comm_2.Bcast(incoming(1, MPI.INT), root=0)  # subcomms.c:19
    at(site + 3)
    groups[1] = world.Get_group()  # subcomms.c:22
    at(site + 4)
    groups[group] = comm_2.Get_group()  # subcomms.c:23
    at(site + 5)
    MPI.Group(groups[1]).Free()  # subcomms.c:32
    at(site + 6)
    MPI.Group(groups[group]).Free()  # subcomms.c:33


def uneven_split(i):
    at(1)
    # subcomms.c:43
    comms[(2, 4, 6)[i]] = world.Split(color=x + y if y == 1 else 0, key=0 - rank)
    use(2, comms[(2, 4, 6)[i]], x if y == 0 else 0, x if y == 0 else 0, 2)  # subcomms.c:45
    at(9)
    comms[(2, 4, 6)[i]].Free()  # subcomms.c:46


def library_call(i):
    at(10)
    comms[(3, 5, 7)[i]] = world.Dup()  # subcomms.c:101
    use(11, comms[(3, 5, 7)[i]], (rank + 1) % RANKS, (rank - 1) % RANKS, 1)  # subcomms.c:102
    at(18)
    comms[(3, 5, 7)[i]].Free()  # subcomms.c:104


def split_down():
    use(19, world, (rank + 1) % RANKS, (rank - 1) % RANKS, 1)  # subcomms.c:57
    at(26)
    comms[8] = world.Split(color=0 if rank == 3 else 1, key=rank)  # subcomms.c:59
    for i in range(TRIPS[rank]):
        use(
            27,
            comms[(8, 9, 10)[i]] if rank < 3 else comms[8],
            around(comms[(8, 9, 10)[i]] if rank < 3 else comms[8], (1, 0)[i])
            if rank == 2
            else around(comms[(8, 9, 10)[i]] if rank < 3 else comms[8], (1, 1, 0)[i])
            if y == 0
            else 0,
            2 - i if rank == 0 else 1 - i if x == 0 else 0,
            2,
        )  # subcomms.c:57
        if rank < 3:
            if i == 0 if y == 1 else i < 2:
                at(34)
                # subcomms.c:59
                comms[(9, 10)[i] if y == 0 else 9] = (
                    comms[(8, 9)[i]] if y == 0 else comms[8]
                ).Split(color=1 - i if x == 1 else 0 if y == 1 else 1, key=rank)
    if rank < 3:
        for i in range(1 if y == 1 else 2):
            at(35)
            (comms[(10, 9)[i]] if y == 0 else comms[9]).Free()  # subcomms.c:61
    at(36)
    comms[8].Free()  # subcomms.c:61


def from_groups():
    at(37)
    groups[1] = world.Get_group()  # subcomms.c:73
    at(38)
    groups[2] = groups[1].Range_incl([(0, 2, 2)])  # subcomms.c:74
    at(39)
    groups[3] = MPI.Group.Difference(groups[1], groups[2])  # subcomms.c:75
    at(40)
    # subcomms.c:77
    comms[11 if x == 0 else 18] = world.Create_group(groups[2] if x == 0 else groups[3], tag=x)
    use(
        41,
        comms[11] if x == 0 else comms[18],
        1 - rank_in(comms[11] if x == 0 else comms[18]),
        1 - rank_in(comms[11] if x == 0 else comms[18]),
        2 if x == 0 else 3,
    )  # subcomms.c:78
    at(48)
    (comms[11] if x == 0 else comms[18]).Free()  # subcomms.c:79
    at(49)
    groups[4] = groups[1].Excl([1, 2])  # subcomms.c:84
    at(50)
    comms[12] = world.Create(groups[4])  # subcomms.c:85
    if x - y == 0:
        use(51, comms[12], 1 - rank_in(comms[12]), 1 - rank_in(comms[12]), 4)  # subcomms.c:87
        at(58)
        comms[12].Free()  # subcomms.c:88
    at(59)
    MPI.Group(groups[1]).Free()  # subcomms.c:90
    at(60)
    MPI.Group(groups[2]).Free()  # subcomms.c:91
    at(61)
    MPI.Group(groups[3]).Free()  # subcomms.c:92
    at(62)
    MPI.Group(groups[4]).Free()  # subcomms.c:93


def use_2(i):
    at(69)
    # subcomms.c:16
    comms[(15, 16, 17)[i]].Allreduce(outgoing(1, MPI.INT), incoming(1, MPI.INT), op=MPI.SUM)
    at(70)
    comms[(15, 16, 17)[i]].Sendrecv(
        outgoing(1, MPI.INT),
        dest=around(comms[(15, 16, 17)[i]], 1)
        if x - y != 0
        else 1 - rank_in(comms[(15, 16, 17)[i]]),
        sendtag=0,
        recvbuf=incoming(1, MPI.INT),
        source=around(comms[(15, 16, 17)[i]], 1)
        if x - y != 0
        else 1 - rank_in(comms[(15, 16, 17)[i]]),
        recvtag=0,
    )  # subcomms.c:17
    at(71)
    comms[(15, 16, 17)[i]].Bcast(incoming(1, MPI.INT), root=0)  # subcomms.c:19
    at(72)
    groups[1] = world.Get_group()  # subcomms.c:22
    at(73)
    groups[2] = comms[(15, 16, 17)[i]].Get_group()  # subcomms.c:23
    at(74)
    MPI.Group(groups[1]).Free()  # subcomms.c:32
    at(75)
    MPI.Group(groups[2]).Free()  # subcomms.c:33


def library_call_2(i):
    at(68)
    comms[(15, 16, 17)[i]] = comms[(14, 13, 14)[i]].Dup()  # subcomms.c:101
    use_2(i)  # subcomms.c:102
    at(76)
    comms[(15, 16, 17)[i]].Free()  # subcomms.c:104


def rows_and_columns():
    at(63)
    comms[13] = world.Split(color=y, key=rank)  # subcomms.c:114
    at(64)
    comms[14] = world.Split(color=x, key=rank)  # subcomms.c:115
    for i in range(3):
        at(65)
        comms[13].Reduce(
            outgoing(1, MPI.INT),
            incoming(1, MPI.INT),
            op=MPI.SUM,
            root=(0, 1, 0)[i],
        )  # subcomms.c:118
        at(66)
        comms[13].Bcast(incoming(1, MPI.INT), root=(0, 1, 0)[i])  # subcomms.c:119
        at(67)
        # subcomms.c:120
        comms[14].Allreduce(outgoing(1, MPI.INT), incoming(1, MPI.INT), op=MPI.SUM)
        library_call_2(i)  # subcomms.c:122
    at(77)
    comms[13].Free()  # subcomms.c:124
    at(78)
    comms[14].Free()  # subcomms.c:125


def main():
    MPI.Init()  # subcomms.c:131
    start()
    at(0)
    for i in range(3):
        uneven_split(i)  # subcomms.c:139
        library_call(i)  # subcomms.c:140
    split_down()  # subcomms.c:142
    from_groups()  # subcomms.c:143
    rows_and_columns()  # subcomms.c:144
    at(79)
    world.Allreduce(outgoing(1, MPI.LONG), incoming(1, MPI.LONG), op=MPI.SUM)  # harness.h:96
    at(80)
    MPI.Finalize()  # subcomms.c:146
