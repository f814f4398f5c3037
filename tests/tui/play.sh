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
fresh
"$program" estimate "$work/pool" --preset shrunk --quiet >"$work/out" 2>&1
printf '%s\n' ':wait idle' ':set autostart no' 0 ':wait 2' ':assert 100 % of 196 pairs by linear shrunk, previews' \
    3 ':wait 1' ':assert communities by linear shrunk' 2 ':wait 1' ':assert 0 of 182 pairs refined' >"$work/shrunk.keys"
"$program" --script "$work/shrunk.keys" --size 120x40 "$work/pool" >"$work/out" 2>&1 </dev/null
check $? 0 "what the ranking stands on fills the matrix, as previews"
few=$work/few && mkdir "$few" && cp "$pool"/scores.csv "$few" && cp "$pool"/{desc_all,maccs_167,ecfp4_b256,mol2vec_128,atombag_32}.npy "$few"
"$program" estimate "$few" --preset shrunk --quiet >"$work/out" 2>&1
printf '%s\n' ':wait idle' ':set autostart no' 0 ':wait 3' ':assert of only 5' 5 ':wait 2' ':assert too few' >"$work/few.keys"
"$program" --script "$work/few.keys" --size 120x40 "$few" >"$work/out" 2>&1 </dev/null
check $? 0 "of five embedders no interval is shown"
"$program" rank "$few" --json >"$work/out" 2>&1
! grep -q '"spearman_ci": \[[0-9-]' "$work/out"
check $? 0 "nor printed"
cp -r "$few" "$work/sets" && rm -rf "$work/sets/.embedscope" "$work/sets/scores.csv"
{ echo id,set; awk -F, 'NR > 1 { print "r" NR "," (NR % 3 == 2 ? "a" : NR % 3 == 0 ? "b" : "c") }' "$pool/rows.csv"; } >"$work/sets/rows.csv"
printf '%s\n' ':await All 3 data sets are estimated' ':await Over 3 data sets' >"$work/sets.keys"
"$program" --start --set-rows all --estimator linear --script "$work/sets.keys" "$work/sets" >"$work/out" 2>&1 </dev/null
check $? 0 "--start --set-rows all estimates all sets, one after the other"
for set in a b c; do
    "$program" matrix "$work/sets" --set-rows $set --json
done >"$work/out" 2>&1
[ "$(grep -c '"done", "done", "done", "done", "done"' "$work/out")" = 15 ]
check $? 0 "and every pair of them is stored"
printf '%s\n' ':wait idle' ga ':wait idle' ':assert Agreement' gr ga gr ':wait idle' ':assert leaderboard + ranking' >"$work/sheet.keys"
"$program" --script "$work/sheet.keys" "$few" >"$work/out" 2>&1 </dev/null
check $? 0 "a sheet is made beside the screen, and given up for the next"
rm -rf "$work/sets/.embedscope"
printf '%s\n' ':await (2 of 3)' X ':await-not (2 of 3)' q >"$work/stop.keys"
"$program" --start --set-rows all --script "$work/stop.keys" "$work/sets" >"$work/out" 2>&1 </dev/null
check $? 0 "X stops it"
"$program" matrix "$work/sets" --set-rows a --json >"$work/out" 2>&1
check $? 0 "and the one before is kept"
"$program" estimate "$few" --estimator linear --quiet >"$work/out" 2>&1
printf '%s\n' ':wait idle' 4 ':assert-not effective-' ':await effective-' >"$work/stored.keys"
(sleep 3; exec "$program" measure "$few" effective-rank --quiet) >"$work/measured" 2>&1 &
"$program" --script "$work/stored.keys" --size 140x40 "$few" >"$work/out" 2>&1 </dev/null
check $? 0 "a measure of the command line comes into Rank by itself"
wait
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
