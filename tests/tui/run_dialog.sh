#!/usr/bin/env bash
# The run dialog on a real pool: what it runs is what `embedscope estimate` runs; and other ways in
# which the open pool gives way to another, or to itself with something new. Prints TAP.
#   run_dialog.sh PROGRAM POOL
program=$1 pool=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_RUNTIME_DIR=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
unset TMUX NO_COLOR
mkdir -p "$HOME" "$work/pool" "$work/bin"
ln -s "$program" "$work/bin/embedscope"
for name in desc_phys16 smiles_stats16 smiles_svd64; do
    cp "$pool/$name.npy" "$work/pool"
done
subject=pool
. "$(dirname "$0")/tap.sh"
play() { # play NAME [option...], the script is standard input
    local name=$1
    shift
    cat >"$work/keys"
    (cd "$work" && "$program" --script keys --size 100x30 "$@" $subject) >"$work/out" 2>&1 </dev/null
    check $? 0 "$name"
}
stored() { # stored NAME OPTION...: all 9 pairs are, so that nothing is left to estimate
    local name=$1
    shift
    "$program" estimate "$work/pool" "$@" >"$work/out" 2>&1
    grep -q '^9 pairs: 0 estimated .* 9 from the store, 0 failed' "$work/out"
    check $? 0 "$name"
}

play "the dialog runs linear on 200 rows with seed 7" <<'KEYS'
:wait idle
:rank
:mark /smiles/
<c-e>
:assert linear, then knife
<right><tab><tab>200<down>7
:assert embedscope estimate pool --estimator linear --rows 200 --seed 7
y<enter>
:wait done
:assert linear
:assert-not knife
:assert [4 Rank]
:assert ●
r
:assert every pair is done
:plan
:assert 9, all known already
:assert --rows 200 --seed 7
KEYS
stored "they are stored" --estimator linear --rows 200 --seed 7
(cd "$work" && PATH=$work/bin:$PATH sh -c "$(cat embedscope-yank)") >"$work/out" 2>&1
grep -q ' 0 estimated .* 9 from the store' "$work/out"
check $? 0 "the copied command finds nothing left to do"

play "another plan follows, said in a line, and one more" --estimator linear --rows 200 --seed 7 --set clip=2 --size 120x40 <<'KEYS'
:wait idle
:run linear shrunk seed=8
:wait done
:assert linear shrunk, clip=2, seed 8
:run l2 linear threads=1
:wait done
:assert l2 linear, seed 8 │ 200 of 1500 rows
:mark /smiles/
:compare
:assert n=200 of 1500
:rank
:assert l2 linear, seed 8 │ 200 of 1500 rows
KEYS
stored "settings go with their estimator" --estimator linear --preset shrunk --rows 200 --seed 8 --set clip=2
stored "and are left out with another" --estimator l2 --preset linear --rows 200 --seed 8

play "what cannot be is said as the command line says it" --rows 200 <<'KEYS'
:wait idle
:run linear rows=1x
:assert --rows takes auto, all, first:N or a whole number N
:run lenear
:assert no estimator 'lenear'; there are linear, knife
:run linear paper-nlp
:assert no preset 'paper-nlp'; there are default, shrunk
:run linear rows=3
:assert 3 rows: at least 20 are needed
:run threads=1000
:assert from 0 to 256
<c-e><tab><tab>99999999999<enter>
:assert --rows takes auto
KEYS
# ---- another pool ----
mkdir "$work/other" "$work/broken"
cp "$pool/desc_all.npy" "$pool/maccs_167.npy" "$work/other"
cp "$pool/desc_all.npy" "$work/broken"
echo '{"name": 3,' >"$work/broken/pool.json"
printf 'model,task\ndesc_phys16,1\nsmiles_stats16,2\nsmiles_svd64,3\n' >"$work/own.csv"
"$program" matrix "$work/pool" --estimator linear --rows 200 --seed 7 --csv -o "$work/matrix.csv" >"$work/out" 2>&1
check $? 0 "a matrix is written"

play "scores and a choice of embedders are left behind with their pool" --models '*s*' <<'KEYS'
:wait idle
:corr
:scores own.csv
:wait idle
:assert 3/3 matched
:open other
:wait idle
:pool
:assert other (2)
<c-e>
:assert embedscope estimate
:assert-not --models
KEYS
play "back to the same choice where the other does not open" --models 'smiles*' --scores own.csv <<'KEYS'
:wait idle
:open broken
:wait idle
:pool
:assert not valid JSON
:assert pool (2)
:corr
:assert own.csv
KEYS
subject=
play "and to a matrix" --matrix matrix.csv <<'KEYS'
:wait idle
:open broken
:wait idle
:assert not valid JSON
:assert 9/9 pairs
KEYS
subject=pool
play "what is in memory only is not left behind" --no-store --estimator linear --rows 200 <<'KEYS'
:wait idle
r
:wait done
:open other
:assert in memory only
:corr
:scores own.csv
:assert in memory only
:assert 9/9 pairs
KEYS
play "a filter by community needs no look at the tree" --estimator linear --rows 200 --seed 7 <<'KEYS'
:wait idle
:pool
:filter c:C1
:wait 1
:wait idle
:assert ready
KEYS
play "the order of words does not matter" --rows 200 <<'KEYS'
:wait idle
:run preset=shrunk estimator=linear seed=9
:wait done
:assert linear shrunk
KEYS
# ---- what is left behind ----
turns() { # turns NUMBER: other runs one after the other; prints the most memory that it took, in kB
    {
        echo ":wait idle"
        for ((k = 0; k < $1; k++)); do
            printf ':run linear rows=200 seed=%d\n:wait done\n' $((k % 3))
        done
    } >"$work/turns"
    (cd "$work" && ulimit -n 64 && python3 - "$program" 2>out <<'PY'
import resource, subprocess, sys
done = subprocess.run([sys.argv[1], "pool", "--script", "turns", "--threads", "2"], stdin=subprocess.DEVNULL,
                      stdout=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
PY
    )
}
few=$(turns 4) && many=$(turns 40)
check $? 0 "forty other runs in one session leave no file open"
if ! grep -qE '__(asan|tsan)_init' "$program"; then # they keep what is freed
    [ "$many" -le $((few + few / 10 + 4000)) ]
    check $? 0 "and no memory: $few kB at four, $many kB at forty"
fi
echo "1..$count"
exit $failed
