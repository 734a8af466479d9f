#!/bin/bash
# Makes a wheel of the module that is built already, and imports the package from nothing but the wheel.
#
#   wheel_test.sh MODULE PYTHON REPRISE STENCIL    _core*.so, Python with pandas, the command, examples/stencil2d.c with Open MPI
set -euo pipefail
module=$1
python=$2
reprise=$3
stencil=$4
source=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../../tools/mpi_environment.sh
. "$source/tools/mpi_environment.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Building leaves files beside pyproject.toml.
mkdir -p "$work/tree/docs" "$work/tree/src/python"
cp "$source"/{CMakeLists.txt,LICENSE,pyproject.toml} "$work/tree"
cp "$source/docs/python.md" "$work/tree/docs"
cp -r "$source/packaging" "$work/tree"
cp -r "$source/src/python/reprise" "$work/tree/src/python"
REPRISE_MODULE=$module "$python" -m pip wheel --quiet --no-index --no-build-isolation --no-deps --wheel-dir "$work" "$work/tree"
"$python" -m zipfile -e "$work"/reprise-*.whl "$work/site"
test -f "$work/site/reprise/py.typed" -a -f "$work/site/reprise/_core.pyi"
grep -q '^Requires-Dist: pandas' "$work"/site/reprise-*.dist-info/METADATA

"$reprise" record -o "$work/t.reprise" -- mpirun.openmpi -n 4 "$stencil" --steps 7 --cells 10x10 </dev/null
# 2 x 2 ranks trade edges seven times: eight messages each time.
cd "$work"
PYTHONPATH="$work/site" "$python" - <<'PYTHON'
import reprise

assert reprise.open("t.reprise").comm_matrix("count").sum() == 7 * 8
print(reprise.__file__)
PYTHON
