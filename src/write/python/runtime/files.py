def file_name(name, is_made):
    """Files of the program are others here: benchmark-NAME in the folder of --files. What it found is made."""
    path = os.path.join(options.files, "benchmark-" + os.path.basename(name))
    if not is_made:
        with open(path, "ab"):
            pass
    return path


begun = {}


def first_half(fh, buffer):
    """Keeps the buffer of a split collective, which ends with the same."""
    begun[MPI._handleof(fh)] = buffer
    return buffer


def second_half(fh):
    return begun.pop(MPI._handleof(fh))
