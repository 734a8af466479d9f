#!/bin/bash
# Installs into a folder with a space in its name, and uses nothing but what is there: records a
# program, and builds the example of the C++ API with the CMake package.
#
#   install_test.sh BUILD STENCIL    the build tree to install from, and examples/stencil2d.c with Open MPI
set -euo pipefail
build=$1
stencil=$2
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=../tools/mpi_environment.sh
. "$source/tools/mpi_environment.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/in stalled"
cmake --install "$build" --prefix "$prefix" >"$work/install.log"

for page in README.md CHANGELOG.md LICENSE $(cd "$source" && echo docs/*.md); do
    cmp "$source/$page" "$prefix/share/doc/reprise/$page"
done

"$prefix/bin/reprise" record -o "$work/stencil2d.reprise" -- \
    mpirun.openmpi -n 4 "$stencil" --steps 7 --cells 10x10 </dev/null

(cd "$work" && mpirun.openmpi -n 4 "$prefix/bin/reprise-replay" stencil2d.reprise --compute none </dev/null)

cmake -G Ninja -S "$source/examples/api" -B "$work/api" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
cmake --build "$work/api" >"$work/build.log" || {
    cat "$work/build.log" >&2
    exit 1
}
# 2 x 2 ranks trade edges of ten doubles, seven times.
diff - <("$work/api/message_volume" "$work/stencil2d.reprise") <<'TABLE'
    from       to     messages            bytes
       0        1            7              560
       0        2            7              560
       1        0            7              560
       1        3            7              560
       2        0            7              560
       2        3            7              560
       3        1            7              560
       3        2            7              560
TABLE
