def read_options():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compute-scale", type=float, default=1.0, metavar="X", help="multiply all computation by X")
    parser.add_argument("--compute", choices=["spin", "sleep"], default="spin", help="how computation is emulated")
    parser.add_argument("--files", default=".", metavar="DIR", help="where files are written")
    return parser.parse_args()


def at(site):
    """Emulate what the program computed before the call of this number, which hangs on the call before."""
    global last_site
    ns = COMPUTE[site]
    if isinstance(ns, dict):
        ns = ns.get(last_site, 0)
    if not isinstance(ns, int):
        ns = ns.of(rank)
    last_site = site
    seconds = ns * 1e-9 * options.compute_scale
    if options.compute == "sleep":
        time.sleep(seconds)
    else:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass


class ByClass:
    """Times of ranks that differ: the classes of all ranks in order, as (ranks in a row, class), and the time of each."""

    def __init__(self, classes, times):
        self.classes, self.times = classes, times

    def of(self, rank):
        for count, which in self.classes:
            if rank < count:
                return self.times[which]
            rank -= count
        return self.times[0]


def check_ranks(expected):
    """Stop if the program was started on another number of ranks than it is for."""
    if world.Get_size() != expected:
        if world.Get_rank() == 0:
            print(f"this program is for {expected} ranks, not {world.Get_size()}", file=sys.stderr, flush=True)
        world.Abort(1)
