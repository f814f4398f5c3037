#!/usr/bin/env bash
# What the system can do to an estimation: short and interrupted calls, errors, full disks, files
# that shrink or vanish, locks, jumping clocks, kill -9. Prints TAP.
#   faults.sh PROGRAM SHIM [KILLS]
# Whatever happens, what is stored and shown afterwards equals an undisturbed run.
program=$1 shim=$2 kills=${3:-5}
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work XDG_CONFIG_HOME=$work/c XDG_DATA_HOME=$work/d XDG_STATE_HOME=$work/s LC_ALL=C
case $("$program" --version 2>/dev/null) in embedscope*) ;; *) echo "1..0 # SKIP no program"; exit 0 ;; esac

count=0 failed=0 faults=0
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
say() { tail -n 3 err 2>/dev/null; }

# 8 embedders, 600 rows: a second of work, jobs of all kinds.
python3 - <<'PY' || exit 1
import os, random, struct
os.mkdir("origin")
random.seed(1)
factor = [[random.gauss(0, 1) for _ in range(4)] for _ in range(600)]
for name, d in zip("abcdefgh", (6, 8, 5, 12, 7, 9, 16, 24)):
    mix = [[random.gauss(0, 1) for _ in range(4)] for _ in range(d)]
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (600, %d), }" % d
    head = head.ljust(117) + "\n"
    body = b"".join(struct.pack("<f", sum(m * z for m, z in zip(w, row)) + random.gauss(0, .5))
                    for row in factor for w in mix)
    open("origin/%s.npy" % name, "wb").write(
        b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + body)
PY
fresh() { chmod -R u+rwx pool 2>/dev/null; rm -rf pool d; cp -r origin pool; }
estimate() { timeout 300 "$program" estimate pool --threads 2 "$@" >out 2>err; }
numbers() { "$program" matrix pool --estimator "$1" --csv -q --value "${2:-is}" 2>>err; }
# as_usual: whatever is missing is estimated; then everything equals the undisturbed run.
as_usual() {
    estimate -q && numbers linear >linear.now && numbers knife >knife.now &&
        cmp -s linear.now linear.usual && cmp -s knife.now knife.usual
}
whole() { # the database is in order
    python3 - "$1" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0 # nothing was begun
print(0 if empty else db.execute("SELECT count(*) FROM pair").fetchone()[0])
PY
}
shimmed() { # shimmed FAULT AFTER PATH COMMAND...
    local spec=$1 after=$2 path=$3
    shift 3
    rm -f shim.log
    LD_PRELOAD=$shim ES_SHIM=$spec ES_SHIM_AFTER=$after ES_SHIM_PATH=$path ES_SHIM_LOG=$work/shim.log "$@"
    local code=$?
    faults=$((faults + $(awk '{n += $1} END {print n + 0}' shim.log 2>/dev/null || echo 0)))
    return $code
}

pairs_in_all=192 # 8 x 8, three times
fresh
began=$(date +%s%N)
estimate -q || { report 1 "an undisturbed estimation" "$(cat err)"; echo "1..$count"; exit 1; }
took=$((($(date +%s%N) - began) / 1000000)) # ms
numbers linear >linear.usual
numbers knife >knife.usual

# ---- what a program has to live with ----
for fault in short-read short-write eintr short-read,short-write,eintr clock; do
    fresh
    shimmed $fault 0 "" timeout 300 "$program" estimate pool --threads 2 -q >out 2>err
    code=$?
    numbers linear >linear.now
    numbers knife >knife.now
    [ $code -eq 0 ] && cmp -s linear.now linear.usual && cmp -s knife.now knife.usual
    report $? "$fault: the same results" "code $code; $(say)"
done
for fault in short-write eintr,short-write; do
    shimmed $fault 0 "" "$program" matrix pool --estimator linear --csv -q -o file.csv && cmp -s file.csv linear.usual
    report $? "$fault: -o writes the whole file" "$(say)"
done

# OpenBLAS waits for ever for address space that it does not get, so fewer threads are started.
fresh
(ulimit -v 800000; timeout -s KILL 120 "$program" estimate pool --threads 16 -q >out 2>err)
code=$?
[ $code -eq 0 ] && as_usual
report $? "little address space: fewer threads, the same results" "code $code; $(say)"
(ulimit -v 300000; timeout -s KILL 60 "$program" estimate pool --refresh -q >out 2>err)
code=$?
[ $code -eq 3 ] && grep -q "ulimit -v" err
report $? "too little address space is an error that says so" "code $code; $(say)"
(ulimit -v 300000; timeout -s KILL 60 "$program" rank pool -q >out 2>err)
code=$?
[ $code -eq 3 ] && grep -q "ulimit -v" err
report $? "and to those that only look, too" "code $code; $(say)"

# ---- errors of the store: results in memory are kept and printed, the user is told ----
for spec in enospc:0 enospc:40 enospc:150 eio-write:60 eio-read:30 no-sync:3; do
    fresh
    shimmed "${spec%:*}" "${spec#*:}" results.db timeout 300 "$program" estimate pool --threads 2 --json >out 2>err
    code=$?
    { [ $code -eq 0 ] || { [ $code -eq 3 ] && grep -q "^embedscope: .*results.db" err; }; } && as_usual
    report $? "${spec%:*} from call ${spec#*:} on: told, and nothing is lost or wrong" "code $code; $(say)"
done
fresh
shimmed enospc 60 results.db timeout 300 "$program" estimate pool --threads 2 --estimator linear --csv >now.csv 2>err
cmp -s now.csv linear.usual
report $? "a full disk: what was computed is printed, whole" "$(say)"
shimmed enospc 0 .embedscope- "$program" matrix --matrix linear.usual --csv -o out.csv >out 2>err
[ $? -eq 3 ] && [ ! -e out.csv ] && grep -q "out.csv" err
report $? "a full disk: -o leaves no half file" "$(ls; say)"
echo before >out.csv
shimmed eio-write 0 .embedscope- "$program" matrix --matrix linear.usual --csv -o out.csv >out 2>err
[ $? -eq 3 ] && [ "$(cat out.csv)" = before ] && ! ls -a | grep -q '\.tmp$'
report $? "a failing disk: -o leaves the old file, and no temporary one" "$(ls -a; say)"

# ---- the same in the explorer: the screen says it, the values stay, and the end says it again ----
cat >store.keys <<'KEYS'
:wait done
:wait 0.3
:dump screen.txt
:q!
KEYS
explore() { # explore FAULT AFTER
    rm -f screen.txt
    shimmed "$1" "$2" results.db timeout 300 "$program" --start --script store.keys --size 200x40 \
        --estimator linear pool >out 2>err
}
for spec in enospc:60 eio-write:70 no-sync:3; do
    fresh
    explore "${spec%:*}" "${spec#*:}"
    code=$?
    { [ $code -eq 0 ] || { [ $code -eq 3 ] && grep -q "not stored.*results.db" err &&
        grep -q "in memory only.*results.db" screen.txt; }; } &&
        grep -q "64 of 64 pairs" screen.txt && as_usual
    report $? "explorer, ${spec%:*} from call ${spec#*:} on: told, and all pairs are shown" "code $code; $(say)"
done
estimate -q
cat >shown.keys <<'KEYS'
:wait idle
:dump screen.txt
4
:dump ranked.txt
KEYS
shimmed enospc 0 results.db timeout 300 "$program" --script shown.keys --size 120x40 pool >out 2>err &&
    grep -q "results.db: cannot be written" screen.txt && grep -qE "[0-9] .* a +[0-9]+ +-?0\.[0-9]{3} " ranked.txt
report $? "explorer, a store that cannot be written: what it holds is shown, and why no more" "$(cat screen.txt; say)"
fresh
shimmed enospc 60 results.db timeout 300 "$program" measure pool cka --csv >out 2>err
code=$?
cp out full.csv
[ $code -eq 3 ] && grep -q results.db err && "$program" measure pool cka --csv >out 2>err && cmp -s out full.csv
report $? "measure on a full disk: told, and the values are printed" "code $code; $(say)"

# ---- training on a full disk: what was trained is kept, and the same command makes the rest ----
train() { timeout 300 "$program" derive pool a,b --cmim 3 --set steps=400 --name t "$@" >out 2>err; }
sums() { (cd pool/.embedscope/derived && cksum t.*); }
fresh
train -q
sums >sums.usual
bad=0
for after in 0 1 2 3 4 5 6 9; do # the state, the weights, the two embedders, what lists them
    fresh
    shimmed enospc $after derived train -q
    code=$?
    [ $code -eq 0 ] || { [ $code -eq 3 ] && grep -q "derived/t\." err; } || bad=1
    train -q && sums | cmp -s - sums.usual || bad=1
done
report $bad "derive --cmim on a full disk: told, and the same command goes on to the same bytes" "code $code; $(say)"

# ---- embedders that change, shrink, vanish ----
fresh
python3 - pool/big.npy <<'PY'
import struct, sys
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (600, 4000), }".ljust(117) + "\n"
f = open(sys.argv[1], "wb")
f.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode())
f.truncate(128 + 600 * 4000 * 4)
f.seek(128)
f.write(struct.pack("<3200f", *[i * .37 % 1 for i in range(3200)]))
PY
cp pool/big.npy big.npy
bad=0
for i in 1 2 3 4 5 6; do # cut it short at another moment each time; all else must come out right
    cp big.npy pool/big.npy
    rm -rf pool/.embedscope
    estimate --estimator linear -q &
    pid=$!
    sleep "0.0$((i * 13))"
    truncate -s 5000 pool/big.npy
    wait $pid
    code=$?
    faults=$((faults + 1))
    case $code in 0 | 1) ;; *) bad=1 && echo "# cut at moment $i: code $code; $(say)" ;; esac
    rm -f pool/big.npy
    estimate --estimator linear -q && numbers linear | cmp -s - linear.usual || bad=1
done
report $bad "a file that is cut short while it is read is an error of that embedder"
bad=0
estimate --estimator linear -q
"$program" measure pool uniformity --csv -q 2>>err | grep -v '^big' | cut -d, -f2,3 | sort >measured.usual
cat >preview.keys <<'KEYS'
:wait idle
:measure uniformity
jjjj
<enter>
:wait 0.2
:q!
KEYS
for i in 1 2 3; do # the same for what reads rows elsewhere
    for what in measure derive look; do
        cp big.npy pool/big.npy
        rm -rf pool/.embedscope/derived
        case $what in
        measure) timeout 60 "$program" measure pool uniformity,cka --refresh -q >out 2>err & ;;
        derive) timeout 60 "$program" derive pool big --whiten 3 >out 2>err & ;;
        look) timeout 60 "$program" --script preview.keys pool >out 2>err & ;;
        esac
        pid=$!
        sleep "0.0$((i * 23))"
        truncate -s 5000 pool/big.npy
        wait $pid
        code=$?
        faults=$((faults + 1))
        [ $code -le 4 ] || { bad=1; echo "# $what, cut at moment $i: code $code; $(say)"; }
        rm -f pool/big.npy
    done
done
"$program" measure pool uniformity --csv -q --refresh 2>err | cut -d, -f2,3 | sort | cmp -s - measured.usual && [ -s measured.usual ] || bad=1
report $bad "and of measures, of derived embedders and in the explorer" "$(say)"
bad=0
fresh
for i in 1 2 3 4 5 6 7 8; do # killed while it removes: the pool has it, or not, and is whole
    "$program" derive pool a --center >out 2>err
    "$program" derive pool --remove a+centred -q >out 2>err &
    pid=$!
    sleep "0.00$i"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    faults=$((faults + 1))
    "$program" info pool >out 2>err || bad=1
    [ -s err ] && bad=1
    listed=$(grep -c '^~a+centred' out)
    [ "$listed" = 0 ] || [ -s pool/.embedscope/derived/a+centred.npy ] || bad=1
done
rm -rf pool/.embedscope/derived
report $bad "a derived embedder is removed or not when that is killed" "$(say)"
bad=0
for i in 1 2 3 4; do
    fresh
    estimate -q &
    pid=$!
    sleep "0.0$((i * 21))"
    mv pool/c.npy c.npy
    wait $pid
    code=$?
    faults=$((faults + 1))
    [ $code -le 1 ] || bad=1
    mv c.npy pool/c.npy
    as_usual || bad=1
done
report $bad "a file that vanishes is an error of that embedder at most" "code $code; $(say)"
fresh
estimate -q &
pid=$!
sleep 0.1
mv pool away
wait $pid
code=$?
mv away pool
[ $code -le 4 ] && as_usual
report $? "a pool that vanishes while it is estimated" "code $code; $(say)"

# ---- the store ----
fresh
mkdir pool/.embedscope
python3 - <<'PY' &
import sqlite3, time
db = sqlite3.connect("pool/.embedscope/results.db", isolation_level=None)
db.execute("PRAGMA application_id=0")
db.execute("BEGIN EXCLUSIVE")
open("locked", "w").close()
time.sleep(2)
db.execute("ROLLBACK")
PY
while [ ! -e locked ]; do sleep 0.05; done
estimate
code=$?
wait
[ $code -eq 0 ] && [ "$(grep -c 'another process holds it; waiting' err)" -eq 1 ] &&
    [ "$(grep -cE 'free again after [12]\.[0-9] s' err)" -eq 1 ] && as_usual
report $? "a store that is locked for two seconds is waited for, and that is said" "code $code; $(say)"
fresh
cp store.keys locked.keys
sed -i '1i :wait idle' locked.keys
python3 - <<'PY' & # as soon as the explorer has made it
import os, sqlite3, time
path = "pool/.embedscope/results.db"
while not os.path.exists(path): time.sleep(0.002)
while True:
    try:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("SELECT 1 FROM pair").fetchone()
        db.execute("BEGIN EXCLUSIVE")
        break
    except sqlite3.OperationalError: time.sleep(0.002)
time.sleep(2)
db.execute("ROLLBACK")
PY
timeout 300 "$program" --start --script locked.keys --size 200x40 pool >out 2>err
code=$?
wait
{ [ $code -eq 0 ] || grep -q "not stored" err; } && grep -q "64 of 64 pairs\|192 of 192 pairs" screen.txt && as_usual
report $? "a store that another process locks in mid-session" "code $code; $(say)"
fresh
python3 - <<'PY' & # as soon as estimate has made it
import os, sqlite3, time
path = "pool/.embedscope/results.db"
while not os.path.exists(path): time.sleep(0.002)
while True:
    try:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("SELECT 1 FROM pair").fetchone()
        db.execute("BEGIN EXCLUSIVE")
        break
    except sqlite3.OperationalError: time.sleep(0.002)
time.sleep(2)
db.execute("ROLLBACK")
PY
estimate --estimator knife --preset paper-nlp
code=$?
wait
[ $code -eq 0 ] && grep -q 'for the store, which another process holds; ' err && as_usual
report $? "a run whose store another process locks says that it waits" "code $code; $(say)"
fresh
estimate --estimator linear -q
python3 - <<'PY'
import sqlite3
db = sqlite3.connect("pool/.embedscope/results.db")
db.execute("PRAGMA user_version=99")
db.commit()
PY
cp pool/.embedscope/results.db newer.db
timeout 60 "$program" --start --script store.keys pool >out 2>err
code=$?
[ $code -eq 3 ] && grep -q "newer embedscope" err && cmp -s newer.db pool/.embedscope/results.db
report $? "a store of a newer version is named and left alone" "code $code; $(say)"
fresh
estimate --estimator linear -q
python3 - <<'PY'
f = open("pool/.embedscope/results.db", "r+b")
f.seek(4096)
f.write(b"\xa5" * 20000)
PY
estimate --estimator linear --csv
code=$?
[ $code -eq 3 ] && grep -q "move the file away" err
report $? "a corrupted store is named, with what to do" "code $code; $(say)"
rm -rf pool/.embedscope && as_usual
report $? "and once it is moved away all is estimated anew" "$(say)"
if [ "$(id -u)" -ne 0 ]; then
    fresh
    chmod 500 pool
    estimate -q && ls "$work"/d/embedscope/*/results.db >/dev/null && as_usual
    report $? "a read-only pool is stored in the user's folder" "$(say)"
    chmod 700 pool
fi

# ---- several at once ----
fresh
for i in 1 2; do
    timeout 300 "$program" estimate pool --threads 2 -q >/dev/null 2>"err.$i" &
    pids[i]=$!
done
printf ':wait done\n:q!\n' >keys
for i in 3 4 5 6; do
    timeout 300 "$program" --start --script keys --size 80x24 pool >/dev/null 2>"err.$i" &
    pids[i]=$!
done
measure() {
    timeout 300 "$program" measure pool cka --csv -q && timeout 300 "$program" measure pool uniformity --csv -q
}
stored_measures() {
    python3 -c 'import sqlite3; print(*sqlite3.connect("pool/.embedscope/results.db").execute("SELECT count(*) FROM measured").fetchone())'
}
for i in 7 8; do
    measure >"measured.$i" 2>"err.$i" &
    pids[i]=$!
done
code=0
for i in 1 2 3 4 5 6 7 8; do wait "${pids[i]}" || code=1; done
pairs=$(whole pool/.embedscope/results.db)
measured=$(stored_measures)
[ $code -eq 0 ] && [ "$pairs" = $pairs_in_all ] && as_usual
report $? "four explorers, two estimations and two measures at once: every pair once" "code $code, $pairs pairs; $(cat err.*)"
measure >measured.now 2>err
[ "$measured" -ge 36 ] && [ "$measured" = "$(stored_measures)" ] && [ -s measured.7 ] &&
    cmp -s measured.7 measured.now && cmp -s measured.8 measured.now
report $? "and every measured value once, the same in both" "$measured values; $(say)"

# ---- kill -9 ----
# A pair that was there before a kill is there afterwards, bit for bit.
stored() {
    python3 - 2>/dev/null <<'PY'
import sqlite3
db = sqlite3.connect("pool/.embedscope/results.db")
for row in db.execute("SELECT hex(source), hex(target), run, is_, se, h, h_cond FROM pair ORDER BY 1, 2, 3"):
    print(*row)
PY
}
fresh
bad=0 survived=0
for ((i = 0; survived < kills && i < 5 * kills; i++)); do
    stored >before.txt
    [ "$(wc -l <before.txt)" -ge $pairs_in_all ] && { as_usual || bad=1; fresh; : >before.txt; }
    "$program" estimate pool --threads 2 -q >/dev/null 2>&1 &
    pid=$!
    moment=$((RANDOM * took / 32768))
    sleep "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))"
    kill -9 $pid 2>/dev/null && survived=$((survived + 1))
    wait $pid 2>/dev/null
    if [ -e pool/.embedscope/results.db ]; then
        whole pool/.embedscope/results.db >/dev/null || { bad=1; echo "# kill $i: the store is damaged"; }
        stored >after.txt
        [ -z "$(comm -23 <(sort before.txt) <(sort after.txt))" ] || { bad=1; echo "# kill $i: a pair is lost"; }
    fi
done
[ $survived -ge "$kills" ] || bad=1
as_usual || bad=1
report $bad "$survived kills: the store opens, no finished pair is lost, the results are the same" "$(say)"

echo "# $faults faults injected, $survived kills"
echo "1..$count"
exit $failed
