def room_of(count, datatype):
    """How far so many elements reach on either side of an address, and whether they reach to both [bytes]."""
    if count <= 0 or datatype == MPI.DATATYPE_NULL:
        return 0, False
    lower, extent = datatype.Get_extent()
    first, within = datatype.Get_true_extent()
    return (count - 1) * abs(extent) + abs(first) + within, lower < 0 or first < 0 or extent < 0


class Area:
    """Zeros that messages share. What was outgrown stays, since messages that are under way may be there."""

    def __init__(self):
        self.areas = [bytearray(4096)]

    def __call__(self, room):
        if len(self.areas[-1]) < room:
            self.areas.append(bytearray(2 * room))
        return self.areas[-1]


sent, received = Area(), Area()


def message(area, count, datatype, blocks, at):
    """What mpi4py takes as a buffer: so many elements for each of the blocks.

    `at`: what the program had there if it was no buffer of its own; None if the buffer does not count.
    """
    if at is None or at is MPI.IN_PLACE:
        return at
    if at is MPI.BOTTOM:
        return [at, count, datatype]
    room, both_sides = room_of(count * blocks, datatype)
    memory = area(2 * room if both_sides else room)
    return [memoryview(memory)[room:] if both_sides else memory, count, datatype]


def outgoing(count, datatype, blocks=1, at=0):
    """A buffer to send."""
    return message(sent, count, datatype, blocks, at)


def incoming(count, datatype, blocks=1, at=0):
    """A buffer to receive into."""
    return message(received, count, datatype, blocks, at)


def arriving(count, datatype, blocks=1, at=0):
    """A buffer to receive into that belongs to one request."""
    return message(bytearray, count, datatype, blocks, at)


def message_of_blocks(area, counts, displs, datatypes, at):
    """The same with a block for each process, of datatypes of their own if those are a list."""
    if at is None or at is MPI.IN_PLACE:
        return at
    each = isinstance(datatypes, list)
    room, both_sides = 0, False
    for count, displ, datatype in zip(counts, displs, datatypes if each else [datatypes] * len(counts)):
        if count > 0:
            block, both = room_of(count, datatype)
            room = max(room, block + abs(displ * (1 if each else datatype.Get_extent()[1])))
            both_sides = both_sides or both or displ < 0
    memory = area(2 * room if both_sides else room)
    return [memoryview(memory)[room:] if both_sides else memory, (counts, displs), datatypes]


def outgoing_blocks(counts, displs, datatypes, at=0):
    return message_of_blocks(sent, counts, displs, datatypes, at)


def incoming_blocks(counts, displs, datatypes, at=0):
    return message_of_blocks(received, counts, displs, datatypes, at)


def arriving_blocks(counts, displs, datatypes, at=0):
    return message_of_blocks(bytearray, counts, displs, datatypes, at)
