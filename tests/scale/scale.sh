#!/usr/bin/env bash
# Several processes at one pool, shares and their merge. Prints TAP.
#   scale.sh PROGRAM [PROCESSES...]
# Whatever way a pool was estimated in, its documents are those of one process, byte for byte, but
# for the seconds that pairs took.
program=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
shift
[ $# -gt 0 ] || set -- 2 3
# shellcheck source=tests/scale/pool.sh
. "$here/pool.sh"
alone

# ---- several processes, one pool ----
for n in "$@"; do
    fresh
    for ((i = 0; i < n; i++)); do
        estimate >"out.$i" 2>"err.$i" &
        pid[i]=$!
    done
    code=0
    for ((i = 0; i < n; i++)); do wait "${pid[i]}" || code=1; done
    sum=$(estimated out.?)
    [ $code -eq 0 ] && [ "$sum" -eq $pairs ] && as_alone
    report $? "$n processes share the work: every pair once, and the same documents" "code $code, $sum of $pairs; $(cat err.?)"
    rm -f out.? err.?
done

# One is killed in the middle: the others take over what it was at.
for _ in $tries; do
    fresh
    kill_at 12
    for i in 0 1 2; do
        "$program" estimate pool --threads 1 >"out.$i" 2>"err.$i" &
        pid[i]=$!
        [ $i -eq 0 ] && echo "${pid[0]}" >victim
    done
    { wait "${pid[0]}"; } 2>/dev/null
    killed=$?
    rm -f ready
    code=0
    wait "${pid[1]}" || code=1
    wait "${pid[2]}" || code=1
    wait $killer 2>/dev/null
    [ $killed -ne 0 ] && break
done
[ $code -eq 0 ] && [ $killed -ne 0 ] && as_alone
report $? "one of three is killed: the others do the rest" "code $code, killed $killed, $(estimated out.1 out.2) of $pairs; $(cat err.?)"
rm -f out.? err.?

# ---- shares ----
fresh
sum=0 code=0
for k in 1 2 3; do
    estimate --shard $k/3 --store "share$k.db" >"out.$k" 2>>err || code=1
done
sum=$(estimated out.?)
[ $code -eq 0 ] && [ "$sum" -eq $pairs ] && [ ! -e pool/.embedscope ]
report $? "three shares: every pair in one of them, and nothing is written to the pool" "code $code, $sum of $pairs; $(ls -a pool)"
for order in "1 2 3" "3 1 2"; do
    rm -rf pool/.embedscope
    # shellcheck disable=SC2046,SC2086
    "$program" merge pool $(printf 'share%s.db ' $order) $(printf 'share%s.db ' $order) --json >merged.json 2>err &&
        as_alone && grep -q "\"taken\": $pairs" merged.json && grep -q "\"known\": $pairs" merged.json
    report $? "merged in the order $order, and again: the same documents" "$(cat err)"
done
cp pool/.embedscope/results.db once.db
"$program" merge pool share2.db -q >out 2>err && values once.db | cmp -s - values.alone && same_values
report $? "merged a third time: nothing changes" "$(cat err)"
rm -rf pool/.embedscope
"$program" merge pool share1.db share3.db >out 2>err && estimate >out 2>err && same_values &&
    [ "$(estimated out)" -eq "$(estimated out.2)" ]
report $? "a share that is missing is estimated, and no more" "$(cat out err)"

# ---- what is not what it should be ----
rm -rf pool/.embedscope
bad=0
for size in 0 100 4096 20480 65536; do # cut short
    cp share1.db cut.db
    truncate -s $size cut.db
    "$program" merge pool cut.db share2.db >out 2>err
    code=$?
    [ $code -eq 3 ] && grep -q "cut.db: nothing was taken" err && ! grep -q "estimated anew" err || { bad=1; echo "# cut at $size: code $code, $(cat err)"; }
done
"$program" merge pool share1.db share2.db share3.db -q >out 2>err && same_values || bad=1
report $bad "a store that is cut short is refused by name, and the others are taken" "$(cat err)"
python3 - <<'PY'
import shutil, sqlite3
for name, sql in (("other.db", "UPDATE pair SET is_ = is_ + 1e-9 WHERE id = (SELECT min(id) FROM pair)"),
                  ("version.db", "UPDATE run SET version = version + 1"),
                  ("newer.db", "PRAGMA user_version = 99"),
                  ("broken.db", "UPDATE pair SET is_ = 'x' WHERE id IN (SELECT id FROM pair LIMIT 2)")):
    shutil.copy("share1.db", name)
    db = sqlite3.connect(name)
    db.execute(sql)
    db.commit()
PY
"$program" merge pool other.db >out 2>err
code=$?
[ $code -eq 3 ] && grep -Eq 'other.db: linear, [a-j] -> [a-j]: [-0-9.]+ there, [-0-9.]+ here: skipped' err && same_values
report $? "a value that is another one here is refused by name" "code $code; $(cat err)"
"$program" merge pool version.db >out 2>err
grep -q "version.db: .* of another version" err && same_values
report $? "results of another version of an estimator are skipped" "$(cat err)"
"$program" merge pool newer.db >out 2>err
code=$?
[ $code -eq 3 ] && grep -q "newer.db.*newer embedscope" err
report $? "a store of a newer program is refused by name" "code $code; $(cat err)"
rm -rf pool/.embedscope
"$program" merge pool broken.db share2.db share3.db >out 2>err && grep -q "broken.db: 2 damaged" err &&
    estimate >out 2>err && [ "$(estimated out)" -eq 2 ] && same_values
report $? "damaged rows are said, not taken, and estimated again" "$(cat err)"
mkdir elsewhere
cp pool/[abc].npy elsewhere
python3 - <<'PY' # three other files
for name in "abc":
    data = bytearray(open("elsewhere/%s.npy" % name, "rb").read())
    data[-1] ^= 1
    open("elsewhere/%s.npy" % name, "wb").write(data)
PY
"$program" merge elsewhere share1.db >out 2>err
code=$?
[ $code -eq 3 ] && grep -q "other contents" err && grep -q "of another pool" out
report $? "a share of another pool is refused" "code $code; $(cat out err)"
for words in "--shard 0/4 --store s.db" "--shard 5/4 --store s.db" "--shard 2 --store s.db" "--shard 2/4"; do
    # shellcheck disable=SC2086
    estimate $words >out 2>err
    code=$?
    [ $code -eq 2 ] && [ ! -e s.db ] || bad=1
done
estimate --shard 0/4 --store s.db 2>&1 | grep -q -- "--array=1-4" || bad=1
report $bad "a share that there is not is a usage error with the remedy" "$(cat err)"

echo "1..$count"
exit $failed
