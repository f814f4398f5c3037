#!/usr/bin/env bash
# Plays every tests/tui/*.keys on a fresh copy of a pool, without a terminal. Prints TAP. A line
# "# options: ..." in a script names options to play it with.
#   play.sh PROGRAM POOL [OPTION...]     options for all of them
program=$1 pool=$2 more=("${@:3}") here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
. "$(dirname "$0")/tap.sh"
fresh() {
    rm -rf "$work/pool"
    cp -r "$pool" "$work/pool"
    rm -rf "$work/pool/.embedscope"
}
# The keys between "# keys N" and the next such line, against N.
count_keys() {
    awk '/^# keys/ { if (most != "" && keys > most) { print title ": " keys " keys"; wrong = 1 }
            most = $3 == "-" ? "" : $3 + 0; title = $0; keys = 0; flows += most != ""; next }
        /^#/ || /^:/ || most == "" { next }
        { gsub(/<[a-zA-Z-]+>/, "x"); gsub(/ /, ""); keys += length($0) }
        END { if (flows < 11) { print "only " flows " flows"; wrong = 1 } exit wrong }' "$1"
}
count_keys "$here/flows.keys" >"$work/out"
check $? 0 "the flows take no more keys than they may"
for script in "$here"/*.keys; do
    fresh
    read -ra options < <(sed -n 's/^# options: //p' "$script")
    (cd "$work/pool/.." && "$program" "${options[@]}" "${more[@]}" --script "$script" --size 100x30 "$work/pool") >"$work/out" 2>&1 </dev/null
    check $? 0 "$(basename "$script")"
done
mkdir "$work/one" && cp "$(find "$pool" -name '*.npy' | sort | head -1)" "$work/one"
printf ':wait idle\n:assert NOTHING TO COMPARE\n:assert one is usable\nr\n:assert two embedders\n' \
    >"$work/one.keys"
"$program" --script "$work/one.keys" --size 100x30 "$work/one" >"$work/out" 2>&1 </dev/null
check $? 0 "a pool of one embedder says what it lacks"
mkdir "$work/empty"
printf ':wait idle\n:assert No embedders under\nr\n:assert cannot be used\n2\n3\n4\n5\n6\n7\njkG\n/a<enter>\ne\n' >"$work/empty.keys"
"$program" --script "$work/empty.keys" --size 100x30 "$work/empty" >"$work/out" 2>&1 </dev/null
check $? 0 "a folder without embedders says what one is"
[ -z "$(ls -A "$work/empty")" ]
check $? 0 "and is left as it was"
"$program" "$work/empty" >"$work/out" 2>&1 </dev/null
check $? 4 "without a terminal it is exit code 4"
printf ':wait idle\n:assert nothing like this\n' >"$work/wrong.keys"
"$program" --script "$work/wrong.keys" "$work/pool" >"$work/out" 2>&1 </dev/null
check $? 1 "a failed :assert ends with 1"
grep -q 'wrong.keys:2: the screen does not show "nothing like this"' "$work/out"
check $? 0 "and names its line"
printf 'j\n<entr>\n' >"$work/wrong.keys"
"$program" --script "$work/wrong.keys" "$work/pool" >"$work/out" 2>&1 </dev/null
check $? 3 "a script that cannot be read ends with 3"
"$program" --script "$here/first_run.keys" --theme nosuch "$work/pool" >"$work/out" 2>&1 </dev/null
check $? 3 "a theme that is not there ends with 3"
echo "1..$count"
exit $failed
