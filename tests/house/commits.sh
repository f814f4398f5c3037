#!/usr/bin/env bash
# commits.sh SOURCE BUILD: the commits in tests/house/commits show how an analysis, a view, an estimator, a
# measure and a format are added. They must apply to this tree, change as little as promised, and work. Prints TAP.
set -uo pipefail
source_dir=$1 build=$2
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
# The objects of the build that read no file which a patch names, by what the compiler said it read.
untouched() {
    sed -n "s,^+++ b,,p" "$source_dir"/tests/house/commits/*.patch >"$work/named"
    ninja -C "$build" -t deps | awk '
        NR == FNR { named[$0] = 1; next }
        /^[^ ]/ { if (reads == 0) print object; object = $1; sub(/:$/, "", object); reads = object !~ /^src\//; next }
        { for (name in named) if (substr($1, length($1) - length(name) + 1) == name) reads++ }
        END { if (reads == 0) print object }' "$work/named" -
}
# What no patch changes is as the build has it, warnings included, and is taken from there. What is new
# or patched is compiled as the build does; what only reads a longer table, and that is much, without
# optimisation.
builds() (
    local tree=$work/tree/build/dev
    cmake -G Ninja -S "$work/tree" -B "$tree" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DES_TESTS=OFF \
        -DES_WERROR=ON -DCMAKE_C_COMPILER_LAUNCHER= -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 || return 1
    untouched >"$work/untouched" # none, where the build is another's than ninja's
    cd "$tree" && touch taken && ninja -t commands embedscope | awk '
        FILENAME == ARGV[1] { named[$1] = 1; next }
        FILENAME == ARGV[2] { kept[$1] = 1; next }
        match($0, / -o [^ ]+\.o /) {
            object = substr($0, RSTART + 4, RLENGTH - 5)
            source = $NF
            sub(/^.*\/tree/, "", source)
            if (object in kept)
                print object >"taken"
            else
                print $0 (source in named ? "" : " -O0 -U_FORTIFY_SOURCE") >"compiled"
            next
        }
        { print "(" $0 ")" >"linked" }' "$work/named" "$work/untouched" - &&
        (cd "$build" && xargs -r cp --parents -t "$tree") <taken &&
        xargs -a compiled -d '\n' -P "$(nproc)" -n 1 sh -c && sh -e linked
)
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

# The analysis, everywhere: table, csv, tex, JSON as its schema says, figure, report, and the explorer.
writes_table() { embedscope asymmetry "$work/pool" | grep -q 'give more than they take'; }
writes_data() {
    embedscope asymmetry "$work/pool" --csv | grep -q '^model,gives,takes,balance$' &&
        embedscope asymmetry "$work/pool" -o "$work/a.tex" && grep -q 'begin{tabular}' "$work/a.tex" &&
        embedscope asymmetry "$work/pool" --json -q >"$work/a.json" && grep -q '"balance"' "$work/a.json" &&
        /usr/bin/python3 "$source_dir/tests/schemas/check.py" "$source_dir/tests/schemas/sheet.schema.json" "$work/a.json"
}
draws_figure() { embedscope export "$work/pool" asymmetry -o "$work/a.svg" && grep -q 'balance' "$work/a.svg"; }
is_in_report() { embedscope report "$work/pool" -o "$work/a.html" && grep -q 'Givers and takers' "$work/a.html"; }
is_sheet() {
    { sleep 2 && printf ':sheet asymmetry\n' && sleep 2 && printf 'dump %s\nquit\n' "$work/sheet"; } |
        embedscope "$work/pool" --plain && grep -q 'give more than they take' "$work/sheet" && grep -q balance "$work/sheet"
}
is_explained() { embedscope asymmetry --help | grep -q 'they predict of it' && embedscope --help | grep -q asymmetry; }

mkdir "$work/tree"
(cd "$source_dir" && cp -r CMakeLists.txt README.md CHANGELOG.md LICENSE docs src include themes sample_data "$work/tree")
for patch in "$source_dir"/tests/house/commits/*.patch; do
    check "$(basename "$patch" .patch) applies" applies "$patch"
done
for name in analysis estimator measure view; do
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
embedscope estimate "$work/pool" --quiet
check "the analysis has a table" writes_table
check "the analysis has csv, tex and JSON as its schema says" writes_data
check "the analysis has a figure" draws_figure
check "the analysis has a section of the report" is_in_report
check "the analysis has a sheet in the explorer" is_sheet
check "the analysis has help" is_explained
echo "1..$count"
exit $failed
