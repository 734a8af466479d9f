def room_of(count, datatype):
    """How far so many elements reach on either side of an address, and whether they reach to both [bytes]."""
    if count <= 0 or datatype == MPI.DATATYPE_NULL:
        return 0, False
    lower, extent = datatype.Get_extent()
    first, within = datatype.Get_true_extent()
    return (count - 1) * abs(extent) + abs(first) + within, lower < 0 or first < 0 or extent < 0


class Memory:
    """Zeros for messages. What is sent shares them; what is received has its own."""

    def __init__(self):
        self.zeros = bytearray(4096)

    def shared(self, room):
        if len(self.zeros) < room:
            self.zeros = bytearray(2 * room)
        return self.zeros

    @staticmethod
    def own(room):
        return bytearray(room)


memory = Memory()


def message(take, count, datatype, blocks):
    room, both_sides = room_of(count * blocks, datatype)
    area = take(2 * room if both_sides else room)
    return [memoryview(area)[room:] if both_sides else area, count, datatype]


def outgoing(count, datatype, blocks=1, at=0):
    """A buffer to send: so many elements for each of the blocks. `at`: what the program had there if no buffer of its own."""
    if at is None or at is MPI.IN_PLACE:
        return at
    if at is MPI.BOTTOM:
        return [at, count, datatype]
    return message(memory.shared, count, datatype, blocks)


def incoming(count, datatype, blocks=1, at=0):
    """A buffer to receive into, likewise."""
    if at is None or at is MPI.IN_PLACE:
        return at
    if at is MPI.BOTTOM:
        return [at, count, datatype]
    return message(memory.own, count, datatype, blocks)


def blocks_of(take, counts, displs, datatypes, at):
    if at is None or at is MPI.IN_PLACE:
        return at
    each = isinstance(datatypes, list)
    types = datatypes if each else [datatypes] * len(counts)
    if displs is None:
        displs = [sum(counts[:i]) for i in range(len(counts))]
    room, both_sides = 0, False
    for count, displ, datatype in zip(counts, displs, types):
        if count > 0:
            block, both = room_of(count, datatype)
            room = max(room, block + abs(displ * (1 if each else datatype.Get_extent()[1])))
            both_sides = both_sides or both or displ < 0
    area = take(2 * room if both_sides else room)
    return [memoryview(area)[room:] if both_sides else area, (counts, displs), datatypes]


def outgoing_blocks(counts, displs, datatypes, at=0):
    """A buffer to send with a block for each process, of datatypes of their own if those are a list."""
    return blocks_of(memory.shared, counts, displs, datatypes, at)


def incoming_blocks(counts, displs, datatypes, at=0):
    """A buffer to receive into, likewise."""
    return blocks_of(memory.own, counts, displs, datatypes, at)
