class Pending:
    """The requests that are pending, the oldest first.

    A request is named by its age, how many pending ones were made after it; None names no request. Those that completed
    leave, and persistent ones when they are freed.
    """

    def __init__(self):
        self.requests = []
        self.found = 0  # completed ones that waitsome has found and that are not told yet

    def add(self, request):
        self.requests.append(request)

    def newest(self, n, after=0):
        """The ages of the n newest, but for some newer ones, in the order in which they were made."""
        return range(after + n - 1, after - 1, -1)

    def all(self):
        return self.newest(len(self.requests))

    def at(self, age):
        return MPI.Request(MPI.REQUEST_NULL) if age is None else self.requests[-1 - age]

    def named(self, ages):
        return [self.at(age) for age in ages]

    def drop(self, gone):
        """Forget those that are null by now, of these."""
        over = {id(r) for r in gone if r == MPI.REQUEST_NULL}
        self.requests = [r for r in self.requests if id(r) not in over]

    def wait(self, age):
        request = self.at(age)
        request.Wait()
        self.drop([request])

    def waitall(self, ages):
        requests = self.named(ages)
        MPI.Request.Waitall(requests)
        self.drop(requests)

    def test(self, age):
        request = self.at(age)
        while not request.Test():
            pass
        self.drop([request])

    def testall(self, ages):
        requests = self.named(ages)
        while not MPI.Request.Testall(requests):
            pass
        self.drop(requests)

    def waitany(self, ages, index):
        requests = self.named(ages)
        MPI.Request.Waitany(requests)
        self.over(requests, index)

    def testany(self, ages, index):
        requests = self.named(ages)
        while not MPI.Request.Testany(requests)[1]:
            pass
        self.over(requests, index)

    def waitsome(self, ages, index):
        """One of those that MPI found: it is asked again when all are told."""
        requests = self.named(ages)
        if self.found == 0:
            self.found = len(MPI.Request.Waitsome(requests) or [None])
        self.found -= 1
        self.over(requests, index)

    def testsome(self, ages, index):
        requests = self.named(ages)
        while self.found == 0:
            done = MPI.Request.Testsome(requests)
            self.found = 1 if done is None else len(done)
        self.found -= 1
        self.over(requests, index)

    def over(self, requests, index):
        """The one at this index is over, as it was in the trace. One that ended in its place takes its place."""
        if index == MPI.UNDEFINED:
            return
        told = requests[index]
        if told != MPI.REQUEST_NULL:
            places = {id(r): place for place, r in enumerate(self.requests)}
            for other in requests:
                if other == MPI.REQUEST_NULL and id(other) in places:
                    here, there = places[id(told)], places[id(other)]
                    self.requests[here], self.requests[there] = other, told
                    told = other
                    break
        self.drop([told])

    def start(self, age):
        self.at(age).Start()

    def startall(self, ages):
        MPI.Prequest.Startall(self.named(ages))

    def free(self, age):
        request = self.at(age)
        request.Free()
        self.drop([request])

    def cancel(self, age):
        self.at(age).Cancel()

    def complete(self, age):
        self.at(age).Complete()

    def get_status(self, age):
        request = self.at(age)
        while not request.Get_status():
            pass


pending = Pending()
