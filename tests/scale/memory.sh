#!/usr/bin/env bash
# Pools larger than the memory that may be used. Prints TAP.
#   memory.sh PROGRAM [ROWS COLUMNS MEGABYTES]
# In a control group of that size where one can be made (as root), in one of which the kernel takes
# back pages of files; with --memory alone elsewhere, and what the program holds itself is measured.
program=$(readlink -f "$1")
rows=${2:-1000000} columns=${3:-256} megabytes=${4:-2048}
folder=$(mktemp -d)
number=0 failed=0
trap 'rm -rf "$folder"; [ -z "$group" ] || rmdir "$group"' EXIT
cd "$folder" || exit 1

report() { # CODE TEXT PROBLEM
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=1
        printf '%s\n' "$3" | sed 's/^/# /'
    fi
}

# Two embedders of float16 that share half of what they hold.
python3 - "$rows" "$columns" <<'PY'
import os, random, struct, sys
rows, columns = int(sys.argv[1]), int(sys.argv[2])
os.mkdir("pool")
for seed in (1, 2):
    rng = random.Random(seed)
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * ((64 - (11 + len(header)) % 64) % 64) + "\n"
    own = struct.pack("<65536e", *(rng.gauss(0, 1) for _ in range(65536)))
    common = random.Random(3)
    shared = struct.pack("<65536e", *(common.gauss(0, 1) for _ in range(65536)))
    places = random.Random(4)
    half = columns // 2
    with open(f"pool/e{seed}.npy", "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for _ in range(rows):
            at, mine = 2 * places.randrange(65536 - columns), 2 * rng.randrange(65536 - columns)
            out.write(shared[at:at + 2 * half] + own[mine:mine + 2 * (columns - half)])
PY

group=
for root in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    try=$root/embedscope-$$
    mkdir "$try" 2>/dev/null || continue
    for file in memory.limit_in_bytes memory.max; do
        { [ -e "$try/$file" ] && echo $((megabytes << 20)) >"$try/$file"; } 2>/dev/null && group=$try
    done
    [ -n "$group" ] && break
    rmdir "$try"
done
[ -n "$group" ] && where="in a control group of $megabytes MB" || where="with --memory ${megabytes}M"

# The highest use of its own memory, MB, behind the output of the command.
limited() {
    python3 - "$group" "$@" <<'PY'
import os, resource, subprocess, sys, time
group, command = sys.argv[1], sys.argv[2:]
def enter():
    if group:
        open(group + "/cgroup.procs", "w").write(str(os.getpid()))
run = subprocess.Popen(command, preexec_fn=enter)
most = 0
while run.poll() is None:
    try:
        for line in open(f"/proc/{run.pid}/status"):
            if line.startswith("RssAnon"):
                most = max(most, int(line.split()[1]) // 1024)
    except OSError:
        pass
    time.sleep(0.05)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
open("peak", "w").write(str(most))
open("seconds", "w").write(f"{used.ru_utime + used.ru_stime:.0f}")
sys.exit(run.returncode if run.returncode >= 0 else 128 - run.returncode)
PY
}

for measure in cka cka-biased; do
    limited "$program" measure pool $measure --rows all --threads 2 --memory "${megabytes}M" --no-store --csv >out 2>err
    code=$?
    value=$(sed -n 's/^e1,[^,]*,//p' out)
    python3 -c 'import sys; sys.exit(not 0.05 < float(sys.argv[1]) < 0.95)' "${value:-0}" && [ $code -eq 0 ] &&
        [ "$(cat peak)" -lt "$megabytes" ]
    report $? "$measure of two embedders of $rows x $columns $where: $(cat peak) MB of its own, $(cat seconds) s of a processor" "code $code, $(cat out err)"
done
# What holds whole matrices is refused before it begins.
limited "$program" measure pool procrustes --rows all --memory "${megabytes}M" --no-store >out 2>err
code=$?
[ $code -eq 3 ] && grep -q 'procrustes needs .* --memory [0-9]*M, or fewer rows: --rows [0-9]*' err
report $? "procrustes of them is refused with the figure and the remedy" "code $code, $(cat err)"
echo "1..$number"
exit $failed
