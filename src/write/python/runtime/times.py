class Computation:
    """Computation before a call [ns] that is more than a number: of each rank, or of each of its executions, times the
    share of the rank [1/1000], times what is drawn."""

    def __init__(self, ns=0, by_rank=None, by_execution=None, shares=None, drawn=None):
        self.ns, self.by_rank, self.by_execution, self.shares, self.drawn = ns, by_rank, by_execution, shares, drawn
        self.factor = None

    def next(self):
        if self.factor is None:
            self.factor = value_at(self.shares, rank) / 1000 if self.shares else 1
            if self.by_rank:
                self.ns = value_at(self.by_rank, rank)
        ns = self.by_execution.next() if self.by_execution else self.ns
        return ns * self.factor * (self.drawn.next() if self.drawn else 1)


def value_at(terms, k):
    return next(itertools.islice(values_of(terms), k, None))


def mixed(x):
    """Another number of 64 bits for each."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 2**64 - 1
    return x ^ x >> 31


class Drawn:
    """What executions take of the mean. Each of n draws gets another n-th of a distribution, in a random order of the
    rank's own, or one for all; what is long mirrors what is short, so that they add up.

    A distribution has the weight of all, the shortest, and of ranges one behind the other the weight of each and where it
    ends [1e-4 of the mean].
    """

    def __init__(self, seed, draws, *spreads, which=None, together=False):
        self.seed, self.draws, self.spreads, self.which, self.together = seed, draws, spreads, which, together
        self.draw = -1

    def start(self):
        common = mixed(self.seed)
        self.own = mixed(common + rank + 1 & 2**64 - 1)
        if isinstance(self.draws, list):
            self.draws = value_at(self.draws, rank)
        self.spread = self.spreads[value_at(self.which, rank) if self.which else 0]
        self.keys = [common if self.together else self.own]
        while len(self.keys) < 4:
            self.keys.append(mixed(self.keys[-1]))

    def place(self):
        """Where the draw is among all: a mapping of as many bits onto themselves, again until it is one of them."""
        place, mask = self.draw % self.draws, 2 ** max(1, (self.draws - 1).bit_length()) - 1
        while True:
            for i, key in enumerate(self.keys, 1):
                place = (place ^ key) * (key | 1) & mask
                place ^= place >> i
            if place < self.draws:
                return place

    def next(self):
        if self.draw < 0:
            self.start()
        self.draw += 1
        n, table = self.draws, self.spread
        place = self.place()
        pair = min(place, n - 1 - place)
        part = (mixed(self.own + pair & 2**64 - 1) >> 12) * 2.0**-52
        at_ = (place + (1 - part if pair < place else part)) / n * (table[0] - 1e-6)
        low = table[1]
        for weight, end in zip(table[2::2], table[3::2]):
            if at_ < weight:
                return 1e-4 * (low + (end - low) * (part if self.together else at_ / weight))
            at_ -= weight
            low = end
        return 1e-4 * low
