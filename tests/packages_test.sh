#!/bin/bash
# Makes the Debian packages, unpacks them into an empty root, and uses nothing of Reprise but what is there.
#
#   packages_test.sh BUILD STENCIL PYTHON    the build tree, examples/stencil2d.c with Open MPI, and Python with pandas
set -euo pipefail
build=$1
stencil=$2
python=$3
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=../tools/mpi_environment.sh
. "$source/tools/mpi_environment.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work" >"$work/cpack.log" 2>&1 || {
    cat "$work/cpack.log" >&2
    exit 1
}
root="$work/root"
main=$(echo "$work"/reprise_*.deb)
module=$(echo "$work"/python3-reprise_*.deb)
for package in "$main" "$module"; do
    dpkg-deb --info "$package"
    dpkg-deb --extract "$package" "$root"
done

field() { dpkg-deb --field "$1" "$2"; }
fail() {
    echo "$1" >&2
    exit 1
}
[[ $(field "$main" Package) == reprise && $(field "$module" Package) == python3-reprise ]] || fail "wrong names"
# MPI is what the program brings.
[[ $(field "$main" Depends) == *libc6* && $(field "$main" Depends) != *mpi* ]] || fail "wrong dependencies of reprise"
[[ $(field "$module" Depends) == *python3-numpy*python3-pandas*libc6* ]] || fail "wrong dependencies of python3-reprise"
for package in "$main" "$module"; do
    # All that they depend on is packaged, and is here.
    while read -r name; do
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$name") == installed ]] || fail "$name is no package here"
    done < <(field "$package" Depends | tr ',' '\n' | sed -E 's/^ *([^ ]+).*/\1/')
done
outside=$(cd "$root" && find . -type f ! -path './usr/*')
[[ -z $outside ]] || fail "files outside of /usr: $outside"
# Their names end with the version; no path of the build is left in a script or a table.
if grep -rIl --exclude=*.md "$build" "$root"; then
    fail "the build folder is named in the files above"
fi

# dpkg's own way, into a root with a database of its own.
mkdir -p "$work/installed/var/lib/dpkg/"{info,updates}
touch "$work/installed/var/lib/dpkg/status" "$work/installed/var/lib/dpkg/available"
if ((EUID == 0)); then
    dpkg --root="$work/installed" --log=/dev/null --force-depends --install "$main" "$module" >"$work/dpkg.log" 2>&1 || {
        cat "$work/dpkg.log" >&2
        exit 1
    }
    diff <(cd "$root" && find usr | sort) <(cd "$work/installed" && find usr | sort)
fi

"$root/usr/bin/reprise" --version
"$root/usr/bin/reprise" record -o "$work/t.reprise" -- mpirun.openmpi -n 4 "$stencil" --steps 7 --cells 10x10 </dev/null
(cd "$work" && mpirun.openmpi -n 4 "$root/usr/bin/reprise-replay" t.reprise --compute none </dev/null)
# 2 x 2 ranks trade edges of ten doubles, seven times: eight messages each time.
PYTHONPATH="$root/usr/lib/python3/dist-packages" "$python" - "$work/t.reprise" <<'PYTHON'
import sys

import reprise

matrix = reprise.open(sys.argv[1]).comm_matrix()
assert matrix.sum() == 7 * 8 * 10 * 8, matrix
PYTHON
