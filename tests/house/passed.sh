#!/usr/bin/env bash
# passed.sh COMMAND ARG...      builds the program with gcov's counters in build/passed, runs it with
#                               these arguments and prints how many files of src and include, and
#                               functions in them, were executed
# passed.sh key POOL KEYS [COMMAND]
#                               plays KEYS (tests/script/script.h) in the explorer after COMMAND
#                               (heatmap), and prints the same of what KEYS execute and a frame
#                               without a key does not
# The functions are listed in build/passed/passed.txt, each after its file.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$PWD/build/passed

cmake -S . -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O0 -g1" \
    -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic" \
    -DCMAKE_EXE_LINKER_FLAGS="-Wl,-u,__gcov_reset" -DES_MPI=OFF >"$work.log"
cmake --build "$work" --target embedscope embedscope-script >"$work.log" || {
    cat "$work.log" >&2
    exit 1
}

# passed PROGRAM ARG...: "FILE FUNCTION" of all that is executed, a line each
passed() {
    find "$work" -name '*.gcda' -delete
    "$work/$1" "${@:2}" >"$work/output" 2>"$work/errors" </dev/null || {
        cat "$work/errors" >&2
        return 1
    }
    (cd "$work" && find . -name '*.gcda' -print0 | xargs -0 gcov --json-format --stdout) |
        /usr/bin/python3 -c '
import json, os, sys
root, found = os.getcwd() + "/", set()
for line in sys.stdin:
    for file in json.loads(line)["files"]:
        name = os.path.normpath(os.path.join(root, file["file"]))
        if name.startswith((root + "src/", root + "include/")):
            found |= {(name[len(root):], f["name"]) for f in file["functions"] if f["execution_count"]}
for pair in sorted(found):
    print(*pair)'
}

if [ "${1:-}" = key ]; then
    [ $# -ge 3 ] || { echo "passed.sh key POOL KEYS [COMMAND]" >&2; exit 2; }
    play() { # play KEYS: what they execute, from a settled view to the frame after them
        printf '%s\n' ':wait idle' ":${command:-heatmap}" ':wait idle' ':wait 1' :count "$@" ':wait 0.5' >"$work/keys"
        passed embedscope-script "$pool" --script "$work/keys" --size 120x40
    }
    pool=$2 command=${4:-}
    play ':resize 121x40' >"$work/frame.txt"
    play ':resize 121x40' "$3" >"$work/key.txt"
    comm -13 "$work/frame.txt" "$work/key.txt" >"$work/passed.txt"
    comm -13 <(cut -d' ' -f1 "$work/frame.txt" | sort -u) <(cut -d' ' -f1 "$work/key.txt" | sort -u) >"$work/files.txt"
else
    passed embedscope "$@" >"$work/passed.txt"
    cut -d' ' -f1 "$work/passed.txt" | sort -u >"$work/files.txt"
fi
echo "$(wc -l <"$work/files.txt") files, $(wc -l <"$work/passed.txt") functions"
