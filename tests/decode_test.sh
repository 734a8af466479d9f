#!/bin/bash
# Records programs and compares the flat calls that `reprise show` prints with those that the
# independent decoder reads from the same file.
#
#   decode_test.sh REPRISE PYTHON PROGRAMS    the last is the folder of the examples, built with Open MPI
set -euo pipefail
reprise=$1
python=$2
programs=$(cd "$3" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=../tools/mpi_environment.sh
. "$source/tools/mpi_environment.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() {
    if ! cmp "$work/ours" "$work/theirs"; then
        diff "$work/ours" "$work/theirs" | head -n 20
        echo "$1: the decoder reads another trace than reprise" >&2
        exit 1
    fi
    echo "$1: $(wc -l <"$work/ours") lines alike"
}
# `stats` leaves out what took no time.
times_as_lines='
import json, sys
for row in json.load(sys.stdin)["rows"]:
    print(*(row[k] for k in ("what", "function", "executions", "total_ns", "min_ns", "min_rank", "max_ns", "max_rank")))
'

# Between them: rank encodings, series, lists, wildcards, communicators, windows, datatypes, polls, threads.
for example in stencil2d butterfly subcomms datatypes irregular poller intercomm mpiio onesided threads; do
    (cd "$work" && "$reprise" record -o "$example.reprise" -- mpirun.openmpi -n 4 "$programs/$example" </dev/null)
    threads=$("$reprise" info --json "$work/$example.reprise" | "$python" -c 'import json, sys; print(json.load(sys.stdin)["threads"])')
    for rank in 0 1 2 3; do
        for ((thread = 0; thread < threads; ++thread)); do
            "$reprise" show --flat --rank $rank --thread $thread "$work/$example.reprise" >"$work/ours"
            "$python" "$source/tools/decode_trace.py" --rank $rank --thread $thread "$work/$example.reprise" >"$work/theirs"
            compare "$example, rank $rank, thread $thread"
        done
    done
    "$reprise" stats --times --json "$work/$example.reprise" | "$python" -c "$times_as_lines" | sort >"$work/ours"
    "$python" "$source/tools/decode_trace.py" --times "$work/$example.reprise" |
        sed -n 's/^\(com[^#]*[0-9]\)  #.*/\1/p' | awk '$4 > 0' | sort >"$work/theirs"
    compare "$example, times"
done
for bad in "$source/README.md" /nonexistent; do
    if "$python" "$source/tools/decode_trace.py" "$bad" 2>"$work/error"; then
        echo "the decoder takes $bad for a trace" >&2
        exit 1
    fi
done
