#!/usr/bin/env bash
# Duels in the explorer: answers lie in the pool's duels.csv at once, are taken back, and go on where
# they ended; what shows a row is run without a shell. Prints TAP.
#   duel.sh PROGRAM POOL
program=$1 pool=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
mkdir -p "$HOME" "$XDG_CONFIG_HOME/embedscope" "$work/pool"
for name in desc_all ecfp4_b256 maccs_167; do cp "$pool/$name.npy" "$work/pool/"; done
# shellcheck disable=SC2016
{
    echo id,path
    seq 0 1499 | sed 's/$/,-x $(touch gone) `touch gone`; touch gone %s/'
} >"$work/pool/rows.csv"
. "$(dirname "$0")/tap.sh"
play() { # play NAME [option...], the script is standard input
    local name=$1
    shift
    cat >"$work/keys"
    (cd "$work" && timeout 300 "$program" --script "$work/keys" --size 120x30 "$@") >"$work/out" 2>&1 </dev/null
    check $? 0 "$name"
}
rows() { tail -n +2 "$work/pool/duels.csv" 2>/dev/null; }

play "three answers, one taken back" "$work/pool" <<'KEYS'
:wait idle
:rank
:mark /desc|ecfp|maccs/
D
:await below is nearer
:assert question 1 of 10
h
:await After 1 answer
:await below is nearer
l
:await After 2 answers
:await below is nearer
=
:await question 4 of 10
u
:await question 3 of 10
q
:assert-not question 3 of 10
:q!
KEYS
[ "$(rows | cut -d, -f4 | paste -sd' ')" = "left right" ]
check $? 0 "duels.csv holds two answers"
head -1 "$work/pool/duels.csv" | grep -qx 'row,left,right,answer,time'
check $? 0 "under its headings"

play "another session goes on, and the pool has not changed" "$work/pool" <<'KEYS'
:wait idle
:rank
:mark /desc|ecfp|maccs/
D
:await below is nearer
:await After 2 answers
h
:await After 3 answers
q
:jobs
:assert-not folder has changed
:q!
KEYS
[ "$(rows | cut -d, -f1 | sort -u | wc -l)" = 3 ]
check $? 0 "with another row"

# shellcheck disable=SC2016
printf '#!/bin/sh\nprintf "%%s\\n" "$#" "$@" >>"%s/shown"\ntouch "%s/ran"\n' "$work" "$work" >"$work/show"
chmod +x "$work/show"
play "a row is shown by the user's command" "$work/pool" <<KEYS
:wait idle
:rank
:mark /desc|ecfp|maccs/
:set viewer $work/show --one %s
D
:await below is nearer
o
q
:q!
KEYS
for _ in $(seq 100); do
    [ "$(grep -c '^2$' "$work/shown" 2>/dev/null)" = 3 ] && break
    sleep 0.1
done
[ "$(grep -c '^2$' "$work/shown")" = 3 ] && [ "$(grep -c '^/.*/pool/-x ' "$work/shown")" = 3 ]
check $? 0 "as one word that is no option"
[ -z "$(find "$work" -name gone)" ]
check $? 0 "and no shell reads it"

echo "1..$count"
exit $failed
