def read_options():
    """What the command line asks for."""

    def factor(text):
        if not 0 <= float(text) < float("inf"):
            raise ValueError
        return float(text)

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compute-scale", type=factor, default=1.0, metavar="X", help="multiply all computation by X")
    parser.add_argument("--compute", choices=["spin", "sleep"], default="spin", help="how computation is emulated")
    parser.add_argument("--files", default=".", metavar="DIR", help="where files are written")
    return parser.parse_args()


def at(site):
    """Emulate what the program computed before the call of this number, which hangs on the call before."""
    global last_site
    begin = time.perf_counter()
    ns = COMPUTE[site]
    if isinstance(ns, dict):
        ns = ns.get(last_site, ns.get(None, 0))
    if not isinstance(ns, int):
        ns = ns.next()
    last_site = site
    end = begin + ns * 1e-9 * options.compute_scale
    if options.compute == "sleep":
        time.sleep(max(0.0, end - time.perf_counter()))
    else:
        while time.perf_counter() < end:
            pass


def check_ranks(expected):
    """Stop if the program was started on another number of ranks than it is for."""
    if world.Get_size() != expected:
        if world.Get_rank() == 0:
            print(f"this program is for {expected} ranks, not {world.Get_size()}", file=sys.stderr, flush=True)
        world.Abort(1)
