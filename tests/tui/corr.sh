#!/usr/bin/env bash
# Corr on a real pool, against what the command line says. Prints TAP.
#   corr.sh PROGRAM POOL
program=$1 pool=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
mkdir -p "$HOME" "$work/pool"
for name in desc_phys16 ecfp4_pca64 smiles_stats16 smiles_svd64 noise_gauss_64; do
    cp "$pool/$name.npy" "$work/pool"
done
cp "$pool/scores.csv" "$work/pool"
rows=(--rows first:300)
. "$(dirname "$0")/tap.sh"
play() { # play NAME [option...], the script is standard input
    local name=$1
    shift
    cat >"$work/keys"
    (cd "$work" && "$program" --script keys --size 120x40 "${rows[@]}" "$@" pool) >"$work/out" 2>&1 </dev/null
    check $? 0 "$name"
}
estimate() { # estimate ESTIMATOR
    "$program" estimate "$work/pool" "${rows[@]}" --estimator "$1" -q >"$work/out" 2>&1
    check $? 0 "estimate $1"
}

estimate linear
play "without l2 in the store Corr says how to get it" <<'KEYS'
:wait idle
5
:wait idle
:assert l2: estimate --estimator l2
:assert-not l2 alone
<enter>
:wait idle
:assert Correlation by task
KEYS
estimate l2
play "with it, it stands beside log dim" <<'KEYS'
:wait idle
5
:wait idle
:assert l2 alone
:dump mean.txt
jj
:dump task.txt
KEYS
"$program" correlate "$work/pool" "${rows[@]}" --json >"$work/out"
wanted() { # wanted COLUMN: rho of l2 against the mean rank or task 0, as Corr shows it
    /usr/bin/python3 -c '
import json, sys
document = json.load(open(sys.argv[1]))
l2 = [b for b in document["baselines"] if b["name"] == "l2"][0]["tasks"]
print("%.2f" % l2[int(sys.argv[2])]["spearman"])' "$work/out" "$1"
}
shown() { sed -n 's/.*l2 alone *\([-0-9.]*\) .*/\1/p' "$work/$1"; }
[ -n "$(shown mean.txt)" ] && [ "$(shown mean.txt)" = "$(wanted -2)" ]
check $? 0 "the mean rank's is what correlate says: $(shown mean.txt) and $(wanted -2)"
[ -n "$(shown task.txt)" ] && [ "$(shown task.txt)" = "$(wanted 0)" ]
check $? 0 "the first task's is what correlate says: $(shown task.txt) and $(wanted 0)"

# Every screen and command gives the same number for the same question, without the control.
cp "$pool"/{mol2vec_128,maccs_167,smiles_charbag}.npy "$work/pool"
cat >"$work/pool/pool.json" <<'JSON'
{"models": [{"name": "desc_phys16", "family": "descriptors"}, {"name": "ecfp4_pca64"},
            {"name": "smiles_stats16", "family": "smiles"}, {"name": "mol2vec_128"},
            {"name": "maccs_167"}, {"name": "smiles_charbag"}, {"name": "smiles_svd64", "family": "smiles"},
            {"name": "noise_gauss_64", "family": "control"}]}
JSON
"$program" estimate "$work/pool" "${rows[@]}" -q >"$work/out" 2>&1
check $? 0 "estimate all of them"
play "the explorer leaves the control out" <<'KEYS'
:wait idle
0
:wait idle
:assert 7 count as
:dump overview.txt
5
:wait idle
:assert 7 matched, no controls
:dump corr.txt
ga
:wait idle
:dump agreement.txt
gr
:wait idle
:dump rivals.txt
KEYS
for name in rank correlate agree "rivals effective-rank"; do
    set -- $name
    name=$1
    "$program" "$1" "$work/pool" "${@:2}" "${rows[@]}" --json -q >"$work/$name.json" 2>"$work/out"
    check $? 0 "$name"
done
"$program" report "$work/pool" "${rows[@]}" -q -o "$work/report.html" >"$work/out" 2>&1
check $? 0 "report"
/usr/bin/python3 - "$work" >"$work/out" 2>&1 <<'PYTHON'
import json, re, sys
def document(name):
    return json.load(open(f"{sys.argv[1]}/{name}.json"))
def screen(name):
    return open(f"{sys.argv[1]}/{name}.txt").read()
predictive = [r for r in document("agree")["against_downstream"] if r["measure"] == "predictive"][0]
rival = [r for r in document("rivals")["rivals"] if r["score"] == "predictive"][0]
rank, mean = document("rank")["downstream"], document("correlate")["mean_rank"]
found = [rank["spearman"], mean["spearman"], predictive["spearman"], rival["spearman"]]
assert max(found) - min(found) < 1e-12, found
assert rank["n"] == mean["n"] == predictive["n"] == rival["n"] == 7
ends = [rank["ci"], mean["spearman_ci"]]
assert ends[0] == ends[1], ends
assert mean["n_effective"] == predictive["n_effective"] == rival["n_effective"] < 7.0001
two = "%.2f" % found[0]
assert re.search(r"this ranking +" + two, screen("overview")), two
assert re.search("[ρ]=" + two, screen("corr")) or "rho=" + two in screen("corr"), two
for name in ("agreement", "rivals"):
    line = next((l for l in screen(name).splitlines() if re.search("predictive|lead", l) and re.search(r"\b7\b", l)), screen(name))
    assert two in line, (name, two, line)
sizes = [rank["dimension"]["spearman"],
         [b for b in document("correlate")["baselines"] if b["name"] == "dimension"][0]["tasks"][-2]["spearman"]]
assert abs(sizes[0] - sizes[1]) < 1e-12, sizes
assert re.search("dimension alone +" + "%.2f" % sizes[0], screen("overview")), sizes
assert re.search("log dim alone +" + "%.2f" % sizes[0], screen("corr")), sizes
assert "rho " + two.replace("0.", ".", 1) in open(f"{sys.argv[1]}/report.html").read(), two
PYTHON
check $? 0 "rank, correlate, agree, rivals, the report, the overview and Corr give one number"
rm "$work/pool"/{mol2vec_128,maccs_167,smiles_charbag}.npy
rm "$work/pool/pool.json"

# H(V) of the ranking, per dimension and in nats: the h of `rank --csv`, times the columns in use.
play "the entropy is a column of Rank" <<'KEYS'
:wait idle
4
:sort H(V)/d
:dump entropy.txt
:sort H(V)
:dump nats.txt
KEYS
"$program" rank "$work/pool" "${rows[@]}" --csv -q >"$work/out"
/usr/bin/python3 - "$work/out" "$work/entropy.txt" "$work/nats.txt" <<'PYTHON'
import csv, sys
ok = True
lines = [open(f).read().splitlines() for f in sys.argv[2:4]]
rows = list(csv.DictReader(open(sys.argv[1])))
for row in rows:
    own = [next(l for l in part if "┃" in l and " " + row["model"] + " " in l) for part in lines]
    h, d = float(row["h"]), int(row["dim"])  # no column of these is constant
    ok = ok and " %.3f " % h in own[0] and " %.1f " % (h * d) in own[1]
first = {row["model"]: next(n for n, l in enumerate(lines[1]) if "┃" in l and f" {row['model']} " in l) for row in rows}
order = [float(row["h"]) * int(row["dim"]) for row in sorted(rows, key=lambda row: first[row["model"]])]
sys.exit(not ok or order != sorted(order, reverse=True) or not order)
PYTHON
check $? 0 "and has the numbers of rank --csv, sorted"

# A sweep of a setting: estimated in the background, as the command line has it, and exported.
play "a sweep is estimated and shown" <<'KEYS'
:wait idle
:sweep linear lambda=1,10
:wait idle
:assert Values of a setting
:dump sweep.txt
:export sweep sweep.json
:wait idle
KEYS
"$program" rank "$work/pool" "${rows[@]}" --estimator linear --sweep lambda=1,10 --json -q >"$work/out"
/usr/bin/python3 - "$work/out" "$work/sweep.json" "$work/sweep.txt" <<'PYTHON'
import json, sys
told, written = (json.load(open(f)) for f in sys.argv[1:3])
screen = open(sys.argv[3]).read()
ok = told["sweep"] == written["sweep"]
for value in told["sweep"]:
    line = next(l for l in screen.splitlines() if " " + value["name"] + " " in l)
    ok = ok and value["known"] == value["of"] and "%.2f" % value["kendall_first"] in line
    ok = ok and "%.2f" % value["downstream"]["spearman"] in line
sys.exit(not ok)
PYTHON
check $? 0 "a sweep's numbers are those of rank --sweep, on the screen and in the export"
play "another session shows what is stored" --resume <<'KEYS'
:wait idle
:sweep linear lambda=1,10,100
X
:wait idle
:assert-not is finished
R
:await The sweep linear lambda=1,10,100 is finished
:sheet
:assert-not lambda=100
:sweep
:await lambda=100
KEYS
"$program" estimate "$work/pool" "${rows[@]}" --estimator linear --sweep lambda=1,10,100 --csv -q >"$work/out"
check "$(grep -c ',25,25,25,0,' "$work/out")" 3 "nothing of a sweep is estimated twice"

play "a plan of l2 itself has no baseline" --estimator l2 <<'KEYS'
:wait idle
5
:wait idle
:assert log dim alone
:assert-not l2 alone
:assert-not estimate --estimator
KEYS

# Scores from elsewhere: the pool is opened again with them, and the next session does so by itself.
mkdir "$work/elsewhere"
{
    echo "model,accuracy,recall"
    echo "desc_phys16,0.9,0.3"
    echo "ecfp4_pca64,0.8,0.5"
    echo "smiles_stats16,0.5,0.2"
    echo "smiles_svd64,0.7,0.6"
} >"$work/elsewhere/mine.csv"
play "a script opens scores and goes on where it was" <<'KEYS'
:wait idle
5
:mark ecfp4_pca64
:scores elsewhere/mine.csv
:wait idle
:assert [5 Corr]
:assert accuracy
:assert-not esol
:assert mine.csv
:assert-not scores.csv
:assert 4 matched
:task recall
:rank
:filter marked
:assert ecfp4_pca64
:assert 1/1
:q!
:assert not played
KEYS
play "what cannot be read is said, and nothing changes" <<'KEYS'
:wait idle
5
:scores elsewhere/none.csv
:assert none.csv
:assert esol
KEYS
rows=()
play "a derived embedder joins the pool under a script" <<'KEYS'
:wait idle
:pool
:goto smiles_svd64
:derive center
:wait idle
:assert 5 embedders + 1 derived
:assert ~smiles_svd6
KEYS
rows=()
play "an embedder is trained in the background, and joins the pool" <<'KEYS'
:wait idle
:pool
:goto smiles_stats16
:derive cmim 99
:wait idle
:assert k=99
:derive cmim 4
:jobs
:wait idle
:pool
:assert 5 embedders + 3 derived
:assert mim4.mu
KEYS
rows=()
play "and both parts of it are removed" <<'KEYS'
:wait idle
:pool
:remove smiles_stats16+cmim4.mu
:wait idle
:assert 5 embedders + 2 derived
:remove smiles_stats16+cmim4.info
:wait idle
:assert 5 embedders + 1 derived
KEYS
rows=()
play "any field of a measure of pairs is a metric and a score" <<'KEYS'
:wait idle
:measure infonce
:wait idle
2
:metric infonce
:assert infonce
:assert saturated
m
:assert-not infonce
:set metric infonce.match
:assert infonce.match
:assert-not saturated
:set metric infonce.nothing
:assert no metric is called
5
:axis infonce.match
:assert infonce.match v
:axis infonce.ceiling
:assert infonce.ceiling v
2
W
:wait idle
:assert infonce of
:assert /256
:assert rival
KEYS
play "what is removed comes back with u, and is derived and undone again" <<'KEYS'
:wait idle
:pool
:remove smiles_svd64+centred
:wait idle
:assert 5 embedders, all
:assert u brings it back
u
:wait idle
:assert 5 embedders + 1 derived
:goto smiles_stats16
:derive center
:wait idle
:assert 5 embedders + 2 derived
u
:wait idle
:assert 5 embedders + 1 derived
:redo
:wait idle
:assert 5 embedders + 2 derived
u
:wait idle
:goto smiles_stats16
:derive pca 4
:wait idle
:assert 5 embedders + 2 derived
KEYS
[ "$(find "$work" -path "*/derived/*.tmp" | wc -l)" = 0 ] && [ "$(find "$work" -path "*/derived/*.npy" | wc -l)" -ge 2 ]
check $? 0 "nothing is left aside"
rows=(--rows first:300)
play "a session remembers the scores" --resume <<'KEYS'
:wait idle
5
:scores elsewhere/mine.csv
:wait idle
:task recall
:q!
KEYS
play "the next one opens them by itself, at the same task" --resume <<'KEYS'
:wait idle
:assert [5 Corr]
:assert ❯ recall
:assert-not esol
:q!
KEYS
play "one of another name on the command line is called by it" --scores elsewhere/mine.csv <<'KEYS'
:wait idle
5
:assert mine.csv ━┓
KEYS
play "those of the command line come first" --resume --scores pool/scores.csv <<'KEYS'
:wait idle
:assert esol
:q!
KEYS
play "and are not remembered" --resume <<'KEYS'
:wait idle
:assert recall
:q!
KEYS
rm "$work/elsewhere/mine.csv"
play "gone ones are named in one line" --resume <<'KEYS'
:assert elsewhere/mine.csv
:assert scores are the pool's own again
:wait idle
:assert esol
:q!
KEYS
play "and named once" --resume <<'KEYS'
:assert-not mine.csv
:q!
KEYS

# What a measure needs of the pool's files is read in the background.
printf 'row,kind\n' >"$work/pool/labels.csv"
for ((i = 0; i < 300; i++)); do echo "$i,$((i % 3))"; done >>"$work/pool/labels.csv"
play "measures of labels come when the files are read, one after the other" --resume <<'KEYS'
:wait idle
:rank
:measure smoothness
:measure logme
:measure evalrank
:wait idle
:assert evalrank needs
:columns
G
:assert smoothness
:assert logme
<esc>
:q!
KEYS
play "and the next session has those that were shown" --resume <<'KEYS'
:wait idle
:columns
G
:assert smoothness
:assert logme
:q!
KEYS

echo "1..$count"
exit $failed
