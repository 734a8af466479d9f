class Messages:
    """Messages that were probed for, in the order in which they came, with their sizes [bytes]."""

    def __init__(self):
        self.probed = []

    def mprobe(self, comm, source, tag):
        status = MPI.Status()
        message = comm.Mprobe(source, tag, status)
        self.probed.append((message, status.Get_count(MPI.BYTE)))

    def improbe(self, comm, source, tag):
        status = MPI.Status()
        message = None
        while message is None:
            message = comm.Improbe(source, tag, status)
        self.probed.append((message, status.Get_count(MPI.BYTE)))

    def take(self, count, datatype):
        """One of so many elements, or else the first, and a buffer that it fits in."""
        size = datatype.Get_size()
        fitting = [i for i, (_, held) in enumerate(self.probed) if held == count * size]
        message, held = self.probed.pop(fitting[0] if fitting else 0)
        if size > 0 and held > count * size:
            count = -(-held // size)
        return message, arriving(count, datatype)

    def mrecv(self, count, datatype):
        message, buffer = self.take(count, datatype)
        message.Recv(buffer)

    def imrecv(self, count, datatype):
        message, buffer = self.take(count, datatype)
        return message.Irecv(buffer)


messages = Messages()
