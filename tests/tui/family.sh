#!/usr/bin/env bash
# Naming families in the explorer: the one file that it writes into a pool, and only after a yes.
# Prints TAP.
#   family.sh PROGRAM POOL
program=$1 pool=$2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
mkdir -p "$HOME" "$XDG_CONFIG_HOME/embedscope" "$work/pool"
for name in desc_all ecfp4_b256 noise_gauss_64; do cp "$pool/$name.npy" "$work/pool/"; done
. "$(dirname "$0")/tap.sh"
play() { # play NAME [option...], the script is standard input
    local name=$1
    shift
    cat >"$work/keys"
    "$program" --script "$work/keys" --size 120x30 "$@" >"$work/out" 2>&1 </dev/null
    check $? 0 "$name"
}
# What lies in the pool beside .embedscope, with a digest each.
files() { (cd "$work/pool" && find . -path ./.embedscope -prune -o -type f -exec sha256sum {} + | sort -k 2); }
before=$(files)

play "a no writes nothing" "$work/pool" <<'KEYS'
:wait idle
:pool
:goto desc_all
:family descriptors
:assert Write families.csv?
:assert desc_all becomes family descriptors?
n
gF
:assert :family
<esc>
:family descriptors
<esc>
:q!
KEYS
[ "$(files)" = "$before" ]
check $? 0 "and neither does a question that is left"

play "a yes writes families.csv and the pool is opened again" "$work/pool" <<'KEYS'
:wait idle
:pool
:goto ecfp4_b256
:mark /desc|ecfp/
:family fingerprints
:assert embedders become family fingerprints?
y
:wait idle
:assert families.csv is written
:assert marked 2
:assert [1 Pool
:clear-marks
:goto noise_gauss_64
:family control
y
:wait idle
:q!
KEYS
[ "$(files | grep -v families.csv)" = "$before" ]
check $? 0 "no other file of the pool changes, and none is new"
[ "$(cat "$work/pool/families.csv")" = "$(printf 'model,family\ndesc_all,fingerprints\necfp4_b256,fingerprints\nnoise_gauss_64,control')" ]
check $? 0 "a line an embedder, and lines of others stay"
"$program" info "$work/pool" --json >"$work/out" 2>&1
check "$(grep -c '"family": *"fingerprints"' "$work/out")" 2 "info has the families"

play "a dash takes the name away" "$work/pool" <<'KEYS'
:wait idle
:pool
:goto desc_all
:family -
:assert desc_all loses its family?
y
:wait idle
:q!
KEYS
[ "$(cat "$work/pool/families.csv")" = "$(printf 'model,family\necfp4_b256,fingerprints\nnoise_gauss_64,control')" ]
check $? 0 "with its line"

mv "$work/pool/families.csv" "$work/pool/names.csv" # a link is read, and never replaced
ln -s names.csv "$work/pool/families.csv"
play "a file that cannot be written is an error that names the folder" "$work/pool" <<'KEYS'
:wait idle
:pool
:goto desc_all
:family x
y
:assert families.csv cannot be written
:q!
KEYS
rm "$work/pool/families.csv" "$work/pool/names.csv"
printf 'family desc\ny\nquit\n' | "$program" --plain "$work/pool" >"$work/out" 2>&1
grep -q 'becomes family desc? Answer y or n' "$work/out" && grep -q 'open the pool again' "$work/out"
check $? 0 "in lines it is asked, too"
[ -f "$work/pool/families.csv" ]
check $? 0 "and written"
printf 'model,family\nnone,x\nnone,y\n' >"$work/pool/families.csv"
"$program" info "$work/pool" >"$work/out" 2>&1
check $? 3 "a broken file is an error"
grep -q 'families.csv: line 3: "none" is there twice, first on line 2' "$work/out"
check $? 0 "that names its line"

printf ',a,b\na,1,.5\nb,.4,1\n' >"$work/matrix.csv"
play "a matrix from a file names the option" --matrix "$work/matrix.csv" <<'KEYS'
:wait idle
:family x
:assert --families FILE.csv
:q!
KEYS

echo "1..$count"
exit $failed
