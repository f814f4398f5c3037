#!/usr/bin/env bash
# One pool by several ranks of a real MPI on this machine: the same bytes as one process, and what
# dies is made up for. Prints TAP.
#   mpi.sh PROGRAM [RANKS...]      PROGRAM-mpi lies beside it
program=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
shift
[ $# -gt 0 ] || set -- 2
command -v mpirun >/dev/null || { echo "1..0 # SKIP no mpirun (apt-get install openmpi-bin libopenmpi-dev)"; exit 77; }
[ -x "$program-mpi" ] || { echo "1..0 # SKIP this build is without MPI (-DES_MPI=ON)"; exit 77; }
mpirun --version 2>/dev/null | grep -q "Open MPI" || { echo "1..0 # SKIP mpirun is not Open MPI's"; exit 77; }
# shellcheck source=tests/scale/pool.sh
. "$here/pool.sh"
# Root in a container, more ranks than cores, nobody but this machine.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm=isolated
alone
words=(estimate pool --threads 1)

for n in "$@"; do
    fresh
    timeout 120 mpirun -n "$n" "$program" "${words[@]}" >out 2>err
    code=$?
    [ $code -eq 0 ] && [ "$(estimated out)" -eq $pairs ] && [ "$(grep -c estimated out)" -eq 1 ] && as_alone
    report $? "$n ranks: every pair once, and the same documents" "code $code; $(cat out err)"
    if [ "$n" -gt 1 ]; then
        grep -q "$n ranks: .* by the others" out
        report $? "$n ranks: it is said how many pairs the others did" "$(cat out)"
    fi
done

# Two ranks and a process of its own on one pool, whose clock is an hour ahead where there is faketime.
clock=()
command -v faketime >/dev/null && clock=(faketime -f +1h)
fresh
timeout 120 mpirun -n 1 "$program" "${words[@]}" : -n 1 "${clock[@]}" "$program" "${words[@]}" >out.0 2>err &
"${clock[@]}" "$program" "${words[@]}" >out.1 2>>err
code=$?
wait $! || code=1
[ $code -eq 0 ] && [ "$(estimated out.?)" -eq $pairs ] && as_alone
report $? "two ranks and another process share the work${clock:+, two clocks an hour ahead}" "code $code, $(estimated out.?); $(cat err)"
rm -f out.?

# ---- what dies ----

# shellcheck disable=SC2016
victim=(sh -c 'echo $$ >victim; exec "$0" "$@"')

for _ in $tries; do
    fresh
    kill_at 12
    timeout 120 mpirun --enable-recovery -n 2 "$program" "${words[@]}" : -n 1 "${victim[@]}" "$program" "${words[@]}" >out 2>err
    wait $killer
    grep -q "rank 2 .* has died" err && break
done
[ "$(estimated out)" -eq $pairs ] && grep -q "rank 2 .* has died" err && as_alone
report $? "a rank is killed, and mpirun goes on: it is said, and its pairs go to the others" "$(cat out err)"

for _ in $tries; do
    fresh
    kill_at 12
    timeout 120 mpirun -n 2 "$program" "${words[@]}" : -n 1 "${victim[@]}" "$program" "${words[@]}" >out 2>err
    code=$?
    wait $killer
    [ $code -ne 0 ] && grep -q "the same command continues" err && break # the end may come before the word
done
stored=$(values | grep -vc '^claimed')
timeout 120 mpirun -n 2 "$program" "${words[@]}" >out 2>>err
[ $code -ne 0 ] && [ "$stored" -gt 12 ] && [ "$(estimated out)" -eq $((pairs - stored)) ] &&
    { [ "$stored" -eq $pairs ] || grep -q "the same command continues" err; } && as_alone
report $? "a rank is killed, and mpirun ends all: what is stored is kept, and the same command goes on" \
    "code $code, $stored stored; $(cat out err)"

for _ in $tries; do
    fresh
    kill_at 12
    timeout 120 mpirun --enable-recovery -n 1 "${victim[@]}" "$program" "${words[@]}" : -n 2 "$program" "${words[@]}" >out 2>err
    wait $killer
    stored=$(values | grep -vc '^claimed')
    [ "$stored" -lt $pairs ] && break
done
timeout 120 mpirun -n 2 "$program" "${words[@]}" >out 2>>err
[ "$stored" -gt 12 ] && [ "$stored" -lt $pairs ] && grep -q "rank 0 is gone" err && as_alone
report $? "rank 0 is killed: the others end, and the same command goes on" "$stored stored; $(cat out err)"

# ---- two hosts: network namespaces with names of their own, and TCP alone between them ----

hosts="es-$$-a es-$$-b"
two_hosts() {
    for host in $hosts; do ip netns add "$host" || return 1; done
    # shellcheck disable=SC2086 # two words
    set -- $hosts
    ip link add "es$$" netns "$1" type veth peer name "es$$" netns "$2" && ip -n "$1" addr add 10.77.0.1/24 dev "es$$" &&
        ip -n "$2" addr add 10.77.0.2/24 dev "es$$" || return 1
    for host; do ip -n "$host" link set lo up && ip -n "$host" link set "es$$" up || return 1; done
    # mpirun begins what is of the other host with this, in place of ssh
    printf '#!/bin/sh\nshift\nexec ip netns exec %s unshare -u sh -c "hostname there; $*"\n' "$2" >agent && chmod +x agent
    ip netns exec "$1" unshare -u true
}
for n in $([ $# -gt 1 ] && echo 2); do # not in the short form
    if two_hosts >err 2>&1; then
        fresh
        export program
        # shellcheck disable=SC2016
        ip netns exec "${hosts% *}" unshare -u sh -c 'hostname here; OMPI_MCA_plm=rsh OMPI_MCA_btl=tcp,self exec timeout 120 \
            mpirun --mca plm_rsh_agent "$PWD/agent" --mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24 \
            --host 10.77.0.1:1,10.77.0.2:1 -n 2 "$program" "$@"' sh "${words[@]}" >out 2>err
        [ "$(estimated out)" -eq $pairs ] && grep -q "2 ranks: .* by the others" out && as_alone
        report $? "two hosts over TCP: every pair once, and the same documents" "$(cat out err)"
    fi
    for host in $hosts; do ip netns del "$host" 2>/dev/null; done
done

# ---- what is not as it should be ----

# The one that sees them says so with its first word, which on a busy machine may come after the last pair.
mkdir away
cp -r origin away/pool
cp away/pool/a.npy away/pool/b.npy
for _ in $tries; do
    fresh
    # shellcheck disable=SC2016
    timeout 120 mpirun -n 1 "$program" "${words[@]}" : -n 1 sh -c 'cd away && exec "$0" "$@"' "$program" "${words[@]}" >out 2>err
    grep -q "rank 1 .* sees other files" err && break
done
[ "$(estimated out)" -eq $pairs ] && grep -q "rank 1 .* sees other files" err && as_alone
report $? "a rank that sees other files is left out, with a word" "$(cat out err)"
mkdir plain
cp "$program" plain/embedscope
fresh
timeout 120 mpirun -n 2 plain/embedscope "${words[@]}" >out 2>err
[ $? -eq 2 ] && [ "$(grep -c "install embedscope-mpi" err)" -eq 1 ] && [ ! -e pool/.embedscope ]
report $? "without MPI the program says so, once, and touches nothing" "$(cat out err)"

echo "1..$count"
exit $failed
