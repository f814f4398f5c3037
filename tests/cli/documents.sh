#!/usr/bin/env bash
# documents.sh PROGRAM SOURCE: every example of every --help runs, every JSON document is as its
# schema in tests/schemas says, and every command and recipe of README and docs runs. TAP output.
set -uo pipefail
program=$(readlink -f "$1") source=$(readlink -f "$2")
unset OPENBLAS_CORETYPE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work/home XDG_DATA_HOME='' XDG_STATE_HOME='' XDG_CONFIG_HOME=''
mkdir -p "$HOME/bin" sample_data/molecules
ln -s "$program" "$HOME/bin/embedscope"
PATH=$HOME/bin:$PATH
count=0 failed=0
check() { # check NAME COMMAND...
    local name=$1
    shift
    count=$((count + 1))
    if "$@" >log 2>&1 </dev/null; then
        echo "ok $count $name"
    else
        echo "not ok $count $name"
        sed 's/^/# /' log | tail -n 20
        failed=1
    fi
}

# What the examples name of the sample pools, the first of its rows, and no more: a slow machine runs
# this too.
python3 - "$source/sample_data/molecules" sample_data/molecules <<'EOF'
import json, re, sys
ROWS = 120
kept = ["mol2vec_128", "desc_all", "maccs_167", "desc_phys16", "noise_gauss_64"]
pool = json.load(open(sys.argv[1] + "/pool.json"))
pool["models"] = [m for m in pool["models"] if m["name"] in kept]
pool["rows"] = ROWS
json.dump(pool, open(sys.argv[2] + "/pool.json", "w"))
for name in (m["file"] for m in pool["models"]):
    data = open(f"{sys.argv[1]}/{name}", "rb").read()
    at = 10 + int.from_bytes(data[8:10], "little")
    rows = int(re.search(rb"'shape': \((\d+),", data[:at])[1])
    header = data[:at].replace(b"(%d," % rows, b"(%d," % ROWS).rstrip()
    open(f"{sys.argv[2]}/{name}", "wb").write(
        header + b" " * (at - len(header) - 1) + b"\n" + data[at:][:(len(data) - at) // rows * ROWS])
for name, lines in (("rows.csv", 1 + ROWS), ("scores.csv", None)):
    open(f"{sys.argv[2]}/{name}", "w").writelines(open(f"{sys.argv[1]}/{name}").readlines()[:lines])
EOF
cp -r "$source/sample_data/paper-nlp" sample_data
# "mypool" of the examples, with what the measures with labels need.
mkdir mypool
cp sample_data/molecules/desc_phys16.npy mypool/e5.npy
cp sample_data/molecules/noise_gauss_64.npy mypool/gte.npy
cp sample_data/molecules/maccs_167.npy mypool/keys.npy
seq 0 119 | awk 'BEGIN { print "row,label" } { print $1 "," ($1 * 7 % 3 ? "a" : "b") }' \
    >mypool/labels.csv
seq 0 39 | awk 'BEGIN { print "row_i,row_j" } { print $1 "," $1 + 60 }' >mypool/pairs.csv
printf 'model,mteb_average\ne5,60\ngte,20\nkeys,50\n' >mypool/scores.csv
printf 'task,category,size\nmteb_average,text,1000\n' >mypool/tasks.csv
printf 'model,price\ne5,0.02\ngte,0.13\nkeys,0.1\n' >mypool/models.csv
cp -r mypool mypool2
cp mypool/e5.npy new_rows.npy
mkdir checkpoints # of a run
cp mypool/gte.npy checkpoints/run@1000.npy
cp mypool/e5.npy checkpoints/run@2000.npy
cp mypool/keys.npy checkpoints/keys.npy
cp mypool/e5.npy checkpoints/keys-tuned.npy
check "estimates another" embedscope estimate mypool --estimator linear
check "estimates a run" embedscope estimate checkpoints --estimator linear
check "estimates the sample pool" embedscope estimate sample_data/molecules \
    --set epochs=2 --estimator knife
check "estimates it linearly" embedscope estimate sample_data/molecules --estimator linear

mkdir shown shown/mypool # in a folder of their own, with a pool whose embedders are all real
for pair in e5=desc_phys16 gte=mol2vec_128 keys=maccs_167 all=desc_all; do
    cp "sample_data/molecules/${pair#*=}.npy" "shown/mypool/${pair%=*}.npy"
done
cp mypool/labels.csv mypool/pairs.csv shown/mypool
printf 'model,family\ne5,descriptors\nall,descriptors\n' >shown/mypool/families.csv
printf 'model,mteb_average,sts\ne5,60,3\ngte,20,1\nkeys,50,2\nall,70,4\n' >shown/mypool/scores.csv
printf 'task,category,size\nmteb_average,text,1000\nsts,pairs,200\n' >shown/mypool/tasks.csv
cp -r shown/mypool shown/mypool2
cp -r checkpoints shown
cp new_rows.npy shown
ln -s ../sample_data shown/sample_data
check "estimates another of the documents" embedscope estimate shown/mypool2 --estimator linear --preset shrunk

# ---- examples: the lines after "Examples:" up to the next empty one ----
examples() { "$program" $1 --help | sed -n '/^Examples:/,/^$/s/^  //p'; }
run_example() {
    case $1 in
    "embedscope demo"*) # the sample itself is left alone
        printf 'models = desc_phys16,noise_gauss_64\nrows = 300\nno-store = yes\n' >demo.config
        eval "$1 --config demo.config"
        ;;
    "embedscope --start"*) (cd "$work/shown" && eval "$1") ;; # what is stored of mypool is as estimated above
    *) eval "$1" ;;
    esac
}
commands=$("$program" --help=all | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands ""; do
    [ -n "$(examples "$command")" ] || check "${command:-embedscope} has examples" false
    while IFS= read -r line; do
        check "example: $line" run_example "$line"
    done < <(examples "$command")
done

# ---- README and docs: every command that they show ----
run_shown() (cd shown && run_example "$1")
shown() { # shown FILE...: the lines of their sh blocks without comments, each once
    awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' "$@" | sed -E 's/ +# .*//' | awk '!seen[$0]++'
}
verbs=$(sed -n 's/^verb_\([a-z-]*\)().*/\1/p' "$source/dev")
knows_verb() { grep -qxF -- "$1" <<<"$verbs"; }
while IFS= read -r line; do
    case $line in
    '') ;;
    "embedscope "*) check "documented: $line" run_shown "$line" ;;
    "./dev "*) check "documented: $line" knows_verb "$(cut -d' ' -f2 <<<"$line")" ;;
    "sudo "* | "cmake "* | "cc "* | "mpirun "*) ;; # tests/install, tests/scale
    *) check "documented, and not to be tested: $line" false ;;
    esac
done < <(shown "$source"/README.md "$source"/docs/*.md "$source"/docs/dev/*.md)
named_verbs() { # ./dev VERB within a sentence or a table
    local verb
    for verb in $(grep -hoE '`\./dev [a-z-]+' "$source"/{README,CONTRIBUTING,ARCHITECTURE}.md "$source"/docs/*.md \
        "$source"/docs/dev/*.md | sed 's/.* //' | sort -u); do
        knows_verb "$verb" || { echo "./dev $verb" && return 1; }
    done
}
check "every ./dev VERB of the documents is there" named_verbs

# ---- what programs rely on ----
check "what was promised is there" "$source/tests/schemas/promised.py" "$source" "$program"

# ---- documents ----
mkdir docs
schema() { # schema NAME COMMAND...: one more document for that schema
    local name=$1
    shift
    "$program" "$@" --json --quiet -o "docs/$name-$((++made)).json" 2>>docs/log
}
made=0
as_schema() {
    python3 "$source/tests/schemas/check.py" "$source/tests/schemas/$1.schema.json" "${@:2}"
}
pool=sample_data/molecules
file="--matrix sample_data/paper-nlp/matrix.csv"
scores="--scores sample_data/paper-nlp/scores.csv"
for options in $pool "$pool --estimator linear" "$file"; do
    # shellcheck disable=SC2086 # options are words
    {
        schema matrix matrix $options
        schema rank rank $options
        schema curve rank $options --curve
        schema coverage rank $options --coverage 0.5
        schema tree tree $options
        schema dendrogram tree $options --method ward
    }
done
# shellcheck disable=SC2086
{
    schema matrix estimate $pool --estimator linear --rows first:100 --no-store --null
    schema correlate correlate $pool
    schema correlate correlate $file $scores
    schema correlate correlate --ranking sample_data/paper-nlp/ranking.csv $scores
    schema compare compare $pool desc_all mol2vec_128 maccs_167
    schema explain rank $pool --explain desc_all maccs_167
    schema with_tasks rank $pool --tasks 'tox21*,esol'
    schema explain rank $file --explain gte-base
    schema compare compare $file gte-base gte-large
}
schema leaderboard leaderboard sample_data/paper-nlp/scores.csv
schema leaderboard leaderboard $pool
schema task_correlation leaderboard sample_data/paper-nlp/scores.csv --by-task
schema task_correlation leaderboard $pool --by-task --against esol
schema task_tree leaderboard $pool --method average
schema versus leaderboard $pool desc_all maccs_167
schema duel_questions duel $pool --models desc_all,mol2vec_128 --questions 5
schema duel duel $pool --models desc_all,mol2vec_128
schema frontier frontier $pool desc_all,maccs_167 --bytes 64
schema frontier frontier mypool --against price
schema combined rank $pool $pool --estimator linear
schema combined_tasks correlate $pool $pool --estimator linear --scores $pool/scores.csv
schema map map $pool desc_all mol2vec_128 --sample 50
schema map map $pool desc_all --sample 20
schema rows rows $pool desc_all mol2vec_128 --top 2
schema pmi rows $pool desc_all mol2vec_128 --by pmi --top 2
schema info info $pool
mkdir bare # no scores.csv, no rows.csv
printf '{"models": [{"file": "a.csv"}, {"file": "b.csv"}]}' >bare/pool.json
for name in a b; do
    awk -v by=$name 'BEGIN { srand(by == "a" ? 1 : 2)
        for (i = 0; i < 60; i++) { z = rand(); print z + rand() / 4 "," z - rand() / 4 } }' >bare/$name.csv
done
"$program" estimate bare --estimator linear --quiet >>docs/log 2>&1
schema info info bare
schema columns info mypool columns
schema columns info mypool columns label
schema rows rows bare a b --top 2
schema compare compare bare a b
schema check check $pool --estimator linear --pairs 3
schema merge merge mypool share1.db
schema plan estimate mypool --estimator knife --seed 4 --dry-run --nodes 3
schema plan estimate mypool --estimator linear --dry-run
schema rank rank mypool --score smoothness
schema rank rank $pool --score cka
schema correlate correlate mypool --score evalrank.hits1
schema categories correlate mypool --by-category
schema categories correlate mypool --by-category --score evalrank.hits1
schema measure measure mypool smoothness,retmmd,svcca
schema measures measure --list
schema measures measure --list mypool
schema measures measure --list evalrank
schema worst measure mypool evalrank --worst-of e5 --top 2
schema worst measure mypool retmmd --worst-of e5 --top 2
cp -r mypool judged
printf 'query,doc,rel\n0,1,1\n3,4,2\n' >judged/qrels.csv
schema worst measure judged retrieval --worst-of e5 --top 2
awk -F, 'NR == 1 { print $0 ",set" } NR > 1 { print $0 (NR % 2 ? ",odd" : ",even") }' mypool/pairs.csv >judged/pairs.csv
schema measure measure judged evalrank --sweep preprocess=none,centre
schema settings_sweep estimate mypool --estimator linear --sweep lambda=0.1,1
schema settings_sweep rank mypool --score evalrank --sweep preprocess=none,centre
schema worst measure mypool knn-overlap --worst-of e5 --other gte --top 2
schema distance measure mypool dataset-distance --other mypool2
schema set_distances measure mypool mypool2 dataset-distance
schema agree agree mypool evalrank
schema by_task agree mypool evalrank,gbc --by-task --runs 2 --scores $pool/scores.csv
schema rivals rivals $pool consensus,effective-rank,cka
schema series series checkpoints effective-rank
schema tuned tuned checkpoints
schema rank rank $pool --unit entropy
schema measure measure mypool cka --null --set draws=19
schema derive derive mypool2 keys --pca 3
schema derive derive mypool2 e5 --cmim 2 --set steps=20 --name one
schema derive derive mypool2 e5 --cmim 2 --set "steps=20 hidden=8" --sweep mode=cmim,ae --name two
schema sweep measure mypool2 probe --sweep two --task label
schema info info mypool2
schema derive derive mypool2 --remove keys+pca3
schema doctor doctor
meta() { # meta VIEW OPTION...: what stands beside an export
    "$program" export "${@:2}" "$1" --quiet -o x.csv 2>>docs/log && mv x.csv.meta.json "docs/meta-$((++made)).json"
}
# shellcheck disable=SC2086
{
    meta ranking $pool
    meta matrix $file --show 'gte-*'
}
arguments=() # to one process, since it takes longer to start than to look
shopt -s extglob
schemas=("$source"/tests/schemas/!(sheet).schema.json) # of an analysis in one file: house/commits
for file in "${schemas[@]}"; do
    arguments+=("$file" docs/"$(basename "$file" .schema.json)"-*.json)
done
python3 "$source/tests/schemas/check.py" "${arguments[@]}" >faults 2>&1
status=$?
clean() { [ -e "$1" ] && ! grep -F "${1%-*}-" faults; }
for file in "${schemas[@]}"; do
    name=$(basename "$file" .schema.json)
    check "documents of $name are as their schema" clean docs/"$name"-*.json
done
all_read() { cat faults && return $status; }
check "all documents are read, without a fault" all_read
check "all $made commands had a document" [ "$(find docs -name '*.json' | wc -l)" -eq $made ]

# Missing pairs, an excluded embedder, and failures have their place too.
broken() {
    mkdir broken && python3 - <<'EOF'
import struct
def npy(name, rows, columns, f):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (117 - len(header)) + "\n"
    data = [f(i, j) for i in range(rows) for j in range(columns)]
    with open(f"broken/{name}.npy", "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack(f"<{len(data)}d", *data))
npy("a", 240, 2, lambda i, j: (i * (7 + 4 * j)) % 31)
npy("b", 240, 3, lambda i, j: (i * (5 + j)) % 17)
npy("few", 9, 2, lambda i, j: i)
EOF
    "$program" estimate broken --no-store --set target=binary --estimator knife --json --quiet \
        -o document.json
    [ $? -eq 1 ] || return 1
    as_schema matrix document.json &&
        grep -q '"failed"' document.json && grep -q '"few"' document.json
}
check "schema matrix: failures and exclusions" broken
refuses() {
    embedscope rank $pool --json --quiet | sed 's/"score": *[-0-9.e]*/"score":"high"/' >document.json
    grep -q '"high"' document.json && ! as_schema rank document.json
}
check "the check finds a fault" refuses

# ---- Python: from NumPy, and to pandas ----
recipes() (
    mkdir recipes && cd recipes &&
        python3 "$source/tests/cli/recipes.py" "$source" "$program"
)
check "the recipes of README and docs write pools" recipes
pandas() {
    embedscope matrix $pool --csv -o is.csv && python3 - <<'EOF'
import json, pandas
m = pandas.read_csv("is.csv", index_col=0)
assert list(m.index) == list(m.columns) and m.shape == (5, 5), m
assert m.dtypes.eq("float64").all() and m.notna().all().all()
EOF
}
if python3 -c 'import pandas' 2>/dev/null; then
    check "matrix --csv reads straight into pandas" pandas
else
    count=$((count + 1))
    echo "ok $count pandas # SKIP not here"
fi

echo "1..$count"
exit "$failed"
