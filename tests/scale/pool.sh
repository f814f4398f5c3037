# What the checks of scale.sh and mpi.sh share: a folder to work in, a small pool in it (origin), what
# is stored of it and what is shown. To be sourced; `program` is set.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work XDG_CONFIG_HOME=$work/c XDG_DATA_HOME=$work/d XDG_STATE_HOME=$work/s LC_ALL=C
case $("$program" --version 2>/dev/null) in embedscope*) ;; *) echo "1..0 # SKIP no program"; exit 0 ;; esac

count=0 failed=0
report() { # report STATUS NAME [DETAIL]
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count $2"
    else
        failed=1
        echo "not ok $count $2"
        printf '%s\n' "${3-}" | sed 's/^/# /'
    fi
}

# 8 embedders, 500 rows: a third of a second of linear and knife.
python3 - <<'PY' || exit 1
import os, random, struct
os.mkdir("origin")
random.seed(1)
factor = [[random.gauss(0, 1) for _ in range(4)] for _ in range(500)]
for name, d in zip("abcdefgh", (6, 8, 5, 12, 7, 9, 16, 24)):
    mix = [[random.gauss(0, 1) for _ in range(4)] for _ in range(d)]
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (500, %d), }" % d
    head = head.ljust(117) + "\n"
    body = b"".join(struct.pack("<f", sum(m * z for m, z in zip(w, row)) + random.gauss(0, .5))
                    for row in factor for w in mix)
    open("origin/%s.npy" % name, "wb").write(
        b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + body)
PY
pairs=$((3 * 64)) # linear twice, knife
fresh() { rm -rf pool d ./*.db*; cp -r origin pool; }
estimate() { timeout 120 "$program" estimate pool --threads 1 "$@"; }
estimated() { sed -n 's/.*pairs: \([0-9]*\) estimated.*/\1/p' "$@" | awk '{n += $1} END {print n + 0}'; }
values() { # what is stored, row by row, except times
    python3 - "${1:-pool/.embedscope/results.db}" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
for row in db.execute("""SELECT r.estimator, r.version, r.settings, r.seed, hex(r.rowset), hex(p.source),
    hex(p.target), p.failed, p.is_, p.se, p.h, p.h_cond, p.n_eval, p.epochs, hex(m.value), v.text
    FROM pair p JOIN run r ON r.id = p.run LEFT JOIN pmi m ON m.pair = p.id
    LEFT JOIN provenance v ON v.id = p.provenance ORDER BY 1, 3, 6, 7"""):
    print(*map(repr, row))
for row in db.execute("SELECT * FROM claim"):
    print("claimed", row)
PY
}
shown() { # the documents without the times that are in them
    { for estimator in linear knife; do "$program" matrix pool --estimator $estimator --json -q; done
        "$program" rank pool --json -q
    } 2>>err | python3 -c '
import json, sys
text, at, decoder = sys.stdin.read().strip(), 0, json.JSONDecoder()
while at < len(text):
    document, at = decoder.raw_decode(text, at)
    document.pop("seconds", None)
    print(json.dumps(document))
    at += len(text[at:]) - len(text[at:].lstrip())'
    "$program" rows pool a b --estimator knife --csv -q 2>>err
}
same_values() { values >values.now && cmp -s values.now values.alone; }
as_alone() { values >values.now && shown >shown.now && cmp -s values.now values.alone && cmp -s shown.now shown.alone; }

# The reference of all that follows: values.alone, shown.alone.
alone() {
    fresh
    estimate -q >out 2>err || { report 1 "one process alone" "$(cat err)"; echo "1..$count"; exit 1; }
    values >values.alone
    shown >shown.alone
    [ "$(wc -l <values.alone)" -eq $pairs ] && [ -s shown.alone ]
    report $? "one process alone" "$(wc -l values.alone)"
}

# On a busy machine a kill may come after the last pair: again, then.
# shellcheck disable=SC2034
tries="1 2 3 4 5 6"
# kill_at COUNT: once so many pairs are stored, kill -9 the process whose number is in `victim`.
kill_at() {
    rm -f ready victim
    python3 - "$1" <<'PY' &
import os, sqlite3, sys, time
open("ready", "w").close()
count = 0
while count <= int(sys.argv[1]) and os.path.exists("ready"):
    try:
        db = sqlite3.connect("file:pool/.embedscope/results.db?mode=ro", uri=True)
        count = db.execute("SELECT count(*) FROM pair").fetchone()[0]
        db.close()
    except sqlite3.Error:
        pass
    time.sleep(0.001)
os.kill(int(open("victim").read()), 9)
PY
    killer=$!
    while [ ! -e ready ]; do sleep 0.01; done
}
