#!/usr/bin/env bash
# The batch file of `embedscope slurm` on a real Slurm of one machine: its daemons are started and
# ended here, by root, with a configuration of their own (Debian: slurm-wlm, munge). Prints TAP.
#   slurm.sh PROGRAM
program=$(readlink -f "$1")
work=$(mktemp -d)
for needed in slurmctld slurmd sbatch squeue munged; do
    command -v $needed >/dev/null || { echo "1..0 # SKIP no $needed (apt-get install slurm-wlm munge)"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "1..0 # SKIP the daemons need root"; exit 77; }
daemons=()
stop() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
cd "$work" || exit 1
chmod 755 .
export HOME=$work XDG_CONFIG_HOME=$work/c XDG_DATA_HOME=$work/d XDG_STATE_HOME=$work/s LC_ALL=C

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

# ---- the cluster ----
mkdir spool state munge
chmod 700 munge # as munged asks
dd if=/dev/urandom of=munge/key bs=1024 count=1 2>/dev/null
chmod 400 munge/key
# As root, which munged warns of; nobody else is to get in.
munged --force --foreground --socket="$work/munge/socket" --key-file="$work/munge/key" \
    --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" --log-file="$work/munge/log" 2>munge.err &
daemons+=($!)
host=$(hostname -s)
cat >slurm.conf <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + RANDOM % 10000))
SlurmdPort=$((30000 + RANDOM % 10000))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/ctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
for ((i = 0; i < 50; i++)); do [ -S munge/socket ] && break; sleep 0.1; done
slurmctld -D 2>ctld.err &
daemons+=($!)
slurmd -D -N "$host" 2>slurmd.err &
daemons+=($!)
up=1
for ((i = 0; i < 150; i++)); do
    sinfo -h -o %t 2>/dev/null | grep -q idle && { up=0; break; }
    sleep 0.2
done
report $up "a cluster of this machine" "$(sinfo 2>&1; tail -n 5 ctld.log slurmd.log munge.err 2>/dev/null)"
[ $up -eq 0 ] || { echo "1..$count"; exit 1; }

# ---- a pool, and what one process makes of it ----
python3 - <<'PY' || exit 1
import os, random, struct
os.mkdir("a pool's")
random.seed(1)
factor = [[random.gauss(0, 1) for _ in range(4)] for _ in range(600)]
for name, d in zip("abcdefgh", (6, 8, 5, 12, 7, 9, 16, 24)):
    mix = [[random.gauss(0, 1) for _ in range(4)] for _ in range(d)]
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (600, %d), }" % d
    head = head.ljust(117) + "\n"
    body = b"".join(struct.pack("<f", sum(m * z for m, z in zip(w, row)) + random.gauss(0, .5))
                    for row in factor for w in mix)
    open("a pool's/%s.npy" % name, "wb").write(
        b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + body)
PY
pool="$work/a pool's"
cp -r "$pool" alone
values() {
    python3 - "$1/.embedscope/results.db" <<'PY'
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("""SELECT r.estimator, r.settings, hex(r.rowset), hex(p.source),
    hex(p.target), p.failed, p.is_, p.se, p.h, p.h_cond, p.n_eval, p.epochs, hex(m.value) FROM pair p
    JOIN run r ON r.id = p.run LEFT JOIN pmi m ON m.pair = p.id ORDER BY 1, 2, 4, 5"""):
    print(*map(repr, row))
PY
}
"$program" estimate alone --set folds=3 --threads 1 -q >/dev/null && values alone >values.alone
[ -s values.alone ]
report $? "one process alone"

# Until no job is left, at most two minutes.
drained() {
    for ((i = 0; i < 600; i++)); do
        [ -z "$(squeue -h 2>/dev/null)" ] && return 0
        sleep 0.2
    done
    return 1
}
"$program" slurm "$pool" --array 3 --threads 1 --set folds=3 --sbatch=--comment=x -o job.sh 2>err &&
    bash -n job.sh && [ ! -e "$pool/.embedscope" ] && sbatch job.sh >sent 2>&1 && drained
values "$pool" >values.now
cmp -s values.now values.alone && [ "$(ls "$pool/.embedscope/shards")" = "$(printf '%s-of-3.db\n' 1 2 3)" ]
report $? "an array of three and its merge: the same values" "$(cat err sent slurm-*.out; ls -R "$pool/.embedscope")"

# A task is killed in the middle, and the file is sent again: the rest is estimated.
rm -rf "$pool/.embedscope" slurm-*.out
sbatch job.sh >sent 2>&1
for ((i = 0; i < 300; i++)); do
    [ -s "$pool/.embedscope/shards/2-of-3.db" ] && break
    sleep 0.05
done
id=$(sed -n 's/.*job //p' sent)
scancel --signal=KILL "${id}_2" 2>/dev/null
drained
sbatch job.sh >>sent 2>&1
drained
values "$pool" >values.now
cmp -s values.now values.alone
report $? "a task that is killed, and the file sent again: the same values" "$(cat sent slurm-*.out)"

# In one step.
rm -rf "$pool/.embedscope" slurm-*.out
"$program" slurm "$pool" --array 2 --threads 1 --set folds=3 --submit >sent 2>&1 && grep -q "Submitted batch job" sent && drained
values "$pool" >values.now
cmp -s values.now values.alone
report $? "--submit sends it" "$(cat sent slurm-*.out)"
# One job over MPI: two ranks, as there is but one machine.
if [ -x "$program-mpi" ] && srun --mpi=list 2>&1 | grep -q pmix; then
    rm -rf "$pool/.embedscope" slurm-*.out
    "$program" slurm "$pool" --nodes 1 --threads 1 --set folds=3 --sbatch=--ntasks-per-node=2 -o nodes.sh 2>err &&
        bash -n nodes.sh && [ ! -e "$pool/.embedscope" ] && sbatch nodes.sh >sent 2>&1 && drained
    values "$pool" >values.now
    cmp -s values.now values.alone && grep -q "2 ranks: .* by the others" slurm-*.out
    report $? "a job over MPI: the same values" "$(cat err sent slurm-*.out nodes.sh)"
    # One of its ranks is killed: Slurm ends the step or goes on; sent again, all is there.
    rm -rf "$pool/.embedscope" slurm-*.out
    sbatch nodes.sh >sent 2>&1
    for ((i = 0; i < 300; i++)); do
        [ -s "$pool/.embedscope/results.db" ] && break
        sleep 0.05
    done
    id=$(sed -n 's/.*job //p' sent)
    victim=$(scontrol listpids "$id.0" 2>/dev/null | awk '$4 == 1 {print $1; exit}') # the second rank
    [ -n "$victim" ] && kill -9 "$victim"
    killed=$?
    drained
    sbatch nodes.sh >>sent 2>&1
    drained
    values "$pool" >values.now
    [ $killed -eq 0 ] && cmp -s values.now values.alone
    report $? "a rank of it is killed, and the file sent again: the same values" "$(cat sent slurm-*.out)"
else
    count=$((count + 1))
    echo "ok $count a job over MPI # SKIP no embedscope-mpi, or a Slurm without PMIx"
fi
echo "1..$count"
exit $failed
