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
# Between them: rank encodings, series, lists, wildcards, communicators, windows, datatypes, polls.
for example in stencil2d butterfly subcomms datatypes irregular poller intercomm mpiio; do
    (cd "$work" && "$reprise" record -o "$example.reprise" -- mpirun.openmpi -n 4 "$programs/$example" </dev/null)
    for rank in 0 1 2 3; do
        "$reprise" show --flat --rank $rank "$work/$example.reprise" >"$work/ours"
        "$python" "$source/tools/decode_trace.py" --rank $rank "$work/$example.reprise" >"$work/theirs"
        if ! cmp "$work/ours" "$work/theirs"; then
            diff "$work/ours" "$work/theirs" | head -n 20
            echo "$example, rank $rank: the decoder reads another trace than reprise" >&2
            exit 1
        fi
        echo "$example, rank $rank: $(wc -l <"$work/ours") calls alike"
    done
done
for bad in "$source/README.md" /nonexistent; do
    if "$python" "$source/tools/decode_trace.py" "$bad" 2>"$work/error"; then
        echo "the decoder takes $bad for a trace" >&2
        exit 1
    fi
done
