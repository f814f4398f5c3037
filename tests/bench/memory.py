#!/usr/bin/env python3
"""memory.py PROGRAM [ROWS COLUMNS EMBEDDERS [COMMAND...]]: the peak memory (resident set) of every command, each in
a process of its own over one synthetic pool of float32 files, as a table for tests/bench/README.md. What was said
before the start (--dry-run) stands beside it where there is such a figure."""
import array
import json
import os
import random
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
rows, columns, count = (int(x) for x in (sys.argv[2:5] or (20000, 128, 8)))
only = sys.argv[5:]  # nothing: all


def write_npy(path, seed):
    rng = random.Random(seed)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * ((64 - (11 + len(header)) % 64) % 64) + "\n"
    base = array.array("f", (rng.gauss(0, 1) for _ in range(65537)))
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for _ in range(rows):  # rows at random places of one long list, each with its own beginning
            at = rng.randrange(len(base) - columns)
            row = base[at:at + columns]
            row[0] = rng.gauss(0, 1)
            out.write(row.tobytes())


def peak(*arguments):
    """MB, and whether it ended well."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(program, [program, *arguments])
    _, status, used = os.wait4(child, 0)
    return used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def said(*arguments):
    out = subprocess.run([program, *arguments, "--dry-run", "--json"], capture_output=True, text=True)
    return json.loads(out.stdout)["memory"]["peak"] / 1048576


with tempfile.TemporaryDirectory() as folder:
    pool = os.path.join(folder, "pool")
    os.mkdir(pool)
    for i in range(count):
        write_npy(os.path.join(pool, f"e{i}.npy"), i)
    with open(os.path.join(pool, "scores.csv"), "w") as out:
        out.write("model,task\n" + "".join(f"e{i},{i}\n" for i in range(count)))
    every = ["--rows", "all"]
    share, steps = os.path.join(folder, "share.db"), os.path.join(folder, "steps")
    os.mkdir(steps)
    for i in range(3):
        write_npy(os.path.join(steps, f"run@{i + 1}.npy"), i)
    other = os.path.join(folder, "other")  # the same embedders of other rows
    os.mkdir(other)
    for i in range(count):
        write_npy(os.path.join(other, f"e{i}.npy"), 100 + i)
    runs = [
        (["estimate", pool, "--estimator", "linear", "--preset", "shrunk", *every], True),
        (["estimate", pool, "--estimator", "linear", *every], True),
        (["estimate", pool, "--estimator", "knife", "--set", "epochs=1", "--models", "e0,e1",
          "--threads", "2", *every], True),
        (["estimate", pool, "--estimator", "flow", "--set", "epochs=1", "--models", "e0,e1",
          "--threads", "1", *every], True),
        (["estimate", pool, "--estimator", "l2", "--models", "e0,e1", *every], True),
    ]
    for command in ("matrix", "rank", "tree", "correlate", "info"):
        extra = [] if command in ("info",) else ["--estimator", "linear", *every]
        runs.append(([command, pool, *extra], False))
    runs += [
        (["compare", pool, "e0", "e1", "--estimator", "linear", *every], False),
        (["rows", pool, "e0", "e1", "--estimator", "linear", *every], False),
        (["measure", pool, "cka", *every], False),
        (["measure", pool, "effective-rank", *every], False),
        (["derive", pool, "e0", "--pca", "16"], False),
        (["report", pool, "--estimator", "linear", *every, "-o", os.path.join(folder, "r.html")], False),
        (["rivals", pool, "--estimator", "linear", *every], False),
        (["agree", pool, *every], False),
        (["map", pool, "e0", "e1", *every], False),
        (["export", pool, "matrix", "--estimator", "linear", *every, "-o", os.path.join(folder, "m.svg")], False),
        (["check", pool], False),
        (["estimate", pool, "--estimator", "linear", "--shard", "1/2", "--store", share, "-q", *every], False),
        (["merge", pool, share], False),
        (["derive", pool, "e0", "--cmim", "4", "--name", "trained", "--set", "steps=20"], False),
        (["apply", os.path.join(pool, ".embedscope/derived/trained.safetensors"), os.path.join(pool, "e0.npy"), "-o", os.path.join(folder, "a.npy")], False),
        (["estimate", steps, "--estimator", "linear", *every], False),
        (["series", steps, "--estimator", "linear", *every], False),
        (["estimate", pool, "--sweep", "folds=2,5", "--estimator", "linear", "-q", *every], False),
        (["rank", pool, "--sweep", "folds=2,5", "--estimator", "linear", *every], False),
        (["estimate", other, "--estimator", "linear", "--preset", "shrunk", *every], False),
        (["measure", pool, other, "dataset-distance", *every], False),
        (["slurm", pool, "--array", "4", "-o", os.path.join(folder, "job.sh")], False),
        (["names", "embedders", pool], False),
        (["demo", "-o", os.path.join(folder, "demo")], False),
        (["doctor"], False),
    ]
    print(f"{count} embedders of {rows} x {columns}, "
          f"{rows * columns * 4 / 1048576:.0f} MB each\n")
    print("| command | peak, MB | said before, MB |\n| --- | --- | --- |")
    for arguments, dry in runs:
        if only and arguments[0] not in only:
            continue
        before = f"{said(*arguments):.0f}" if dry else ""
        used, code = peak(*arguments)
        words = " ".join(a for a in arguments if folder not in a and a not in ("-o", *every))
        print(f"| `{words}`{'' if code == 0 else f' (exit {code})'} | {used:.0f} | {before} |", flush=True)
