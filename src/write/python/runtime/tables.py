class run:
    """Values `step` apart; a count of None: for ever."""

    def __init__(self, value, count=None, step=0):
        self.value, self.count, self.step = value, count, step

    def __iter__(self):
        if self.step == 0:
            return itertools.repeat(self.value) if self.count is None else itertools.repeat(self.value, self.count)
        if self.count is None:
            return itertools.count(self.value, self.step)
        return iter(range(self.value, self.value + self.step * self.count, self.step))


class repeat:
    """Terms again and again; each time all values are `step` larger."""

    def __init__(self, terms, count=None, step=0):
        self.terms, self.count, self.step = terms, count, step

    def __iter__(self):
        for turn in itertools.count() if self.count is None else range(self.count):
            for value in values_of(self.terms):
                yield value + turn * self.step if self.step else value


def values_of(terms):
    for term in terms:
        if isinstance(term, (run, repeat)):
            yield from term
        else:
            yield term


class Table:
    """Numbers that a place needs one after the other. Terms are numbers, runs and repeats."""

    def __init__(self, *terms):
        self.terms = terms
        self.restart()

    def restart(self):
        self.values = values_of(self.terms)

    def next(self):
        return next(self.values, 0)

    def take(self, n):
        """The next n."""
        return [self.next() for _ in range(n)]

    def first(self, n):
        """The first n, each time."""
        self.restart()
        return self.take(n)


def characters(codes):
    """A text by the codes of its characters."""
    return bytes(code & 255 for code in codes).decode(errors="surrogateescape")


class TableByRank:
    """Tables of which each is for some of the ranks; the last is for all that are left."""

    def __init__(self, *tables):
        self.tables = tables
        self.mine = None

    def table(self):
        if self.mine is None:
            self.mine = next(t for ranks, t in self.tables if ranks is None or rank in values_of(ranks))
        return self.mine

    def restart(self):
        self.table().restart()

    def next(self):
        return self.table().next()


def by_rank(ranks, *terms):
    """A number for each of these ranks."""
    return dict(zip(values_of(ranks), values_of(terms)))
