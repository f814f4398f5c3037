#!/usr/bin/env bash
# commits.sh SOURCE: the commits in tests/house/commits show how a view, an estimator, a measure and
# a format are added. They must apply to this tree, change as little as promised, and work. Prints TAP.
set -uo pipefail
source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 failed=0

check() { # check DESCRIPTION COMMAND...
    local name=$1
    shift
    count=$((count + 1))
    if "$@" >"$work/log" 2>&1; then
        echo "ok $count $name"
    else
        failed=1
        echo "not ok $count $name"
        tail -n 20 "$work/log" | sed 's/^/# /'
    fi
}

# At most one new file, and at most one line in the files that were there, and none taken away.
is_small() { # is_small PATCH
    (cd "$work" && git apply --numstat "$1") | awk -v new="$(grep -c '^new file mode' "$1")" '
        { files++; removed += $2; if ($1 < least || NR == 1) least = $1 }
        END { exit !(files == 2 && new == 1 && removed == 0 && least == 1) }'
}
applies() { git -C "$work/tree" apply --check "$1" && git -C "$work/tree" apply "$1"; }
# With ccache as `./dev test` does, since that knows what no patch has touched; else as fast as can be.
builds() {
    local flags='-O0'
    [ -z "${CMAKE_C_COMPILER_LAUNCHER:-}" ] || flags='-O2 -g1' CCACHE_BASEDIR=$work/tree
    export CCACHE_BASEDIR
    cmake -G Ninja -S "$work/tree" -B "$work/tree/build/dev" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DES_TESTS=OFF \
        -DES_WERROR=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO="$flags" &&
        cmake --build "$work/tree/build/dev" --target embedscope
}
embedscope() {
    XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state \
        "$work/tree/build/dev/embedscope" "$@"
}
estimates() { embedscope rank "$work/pool" --estimator column --csv | grep -q '^1,pair,'; }
measures() { embedscope measure "$work/pool" norm-spread --csv | grep -q 'model,norm-spread'; }
reads_format() { embedscope info "$work/pool" --csv | grep -q '^vectors,.*fvecs'; }

draws() {
    { echo gz && sleep 2 && printf 'dump %s\nquit\n' "$work/screen"; } | embedscope "$work/pool" --plain &&
        grep -q '\[Size\]' "$work/screen" && LC_ALL=C.UTF-8 grep -q '^.pair  *4 ██*' "$work/screen"
}

mkdir "$work/tree"
(cd "$source_dir" && cp -r CMakeLists.txt README.md CHANGELOG.md LICENSE docs src include themes sample_data "$work/tree")
for patch in "$source_dir"/tests/house/commits/*.patch; do
    check "$(basename "$patch" .patch) applies" applies "$patch"
done
for name in estimator measure view; do
    check "add_$name is a file and a line" is_small "$source_dir/tests/house/commits/add_$name.patch"
done
check "all of them build without warnings" builds

# 60 rows: 4 numbers, a line through them, and noise in a format of its own.
/usr/bin/python3 - "$work/pool" <<'PYTHON'
import random, struct, sys, os
folder = sys.argv[1]
os.mkdir(folder)
random.seed(1)
rows = [[random.gauss(0, 1) for _ in range(4)] for _ in range(60)]
def npy(name, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(values), len(values[0]))
    header += " " * (117 - len(header)) + "\n"
    with open(os.path.join(folder, name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in values:
            file.write(struct.pack("<%df" % len(row), *row))
npy("pair.npy", rows)
npy("line.npy", [[r[0] + 0.1 * r[1]] for r in rows])
with open(os.path.join(folder, "vectors.fvecs"), "wb") as file:
    for row in rows:
        file.write(struct.pack("<i3f", 3, *(random.gauss(0, 1) for _ in range(3))))
PYTHON
check "the format is read" reads_format
check "the estimator estimates" embedscope estimate "$work/pool" --estimator column --quiet
check "its ranking knows who simulates whom" estimates
check "the measure measures" measures
check "the view draws, and its key leads there" draws
echo "1..$count"
exit $failed
