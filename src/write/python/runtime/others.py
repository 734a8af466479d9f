def nothing(*_, **__):
    """In place of the program's own reductions and the like."""


def hints():
    return MPI.Info.Create()


def until(call, *arguments, **keywords):
    """Repeat a call until it has success."""
    while not call(*arguments, **keywords):
        pass
