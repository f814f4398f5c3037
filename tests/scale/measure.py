#!/usr/bin/env python3
"""measure.py PROGRAM POOL OUT.json: what simulate.py stands on, measured on this machine.

Of every pair of the pool the seconds that `knife` at its defaults takes, on one thread, all in the proportion of
processor time to time, so that what else runs on the machine makes no difference; what preparing embedders takes
beside that; and what a pair costs rank 0 that another rank computes (lending, taking in, storing), from 40,000 pairs of
narrow embedders by `linear`, where nothing else matters.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import random
import sys
import tempfile

program, pool, out = map(os.path.abspath, sys.argv[1:4])
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_plm="isolated", LC_ALL="C")


def run(*line, cwd):
    return subprocess.run(line, cwd=cwd, env=environment, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def write_narrow(folder, count, rows, width):
    random.seed(1)
    for i in range(count):
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, width)
        head = head.ljust(117) + "\n"
        with open(os.path.join(folder, "e%03d.npy" % i), "wb") as file:
            file.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() +
                       struct.pack("<%df" % (rows * width), *(random.gauss(0, 1) for _ in range(rows * width))))


with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(pool, os.path.join(folder, "pool"), ignore=shutil.ignore_patterns(".embedscope"))
    words = (program, "estimate", "pool", "--estimator", "knife", "--threads", "1")
    before = os.times()
    text = run(*words, cwd=folder)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    minutes, seconds = re.search(r"estimated in (?:(\d+):)?([0-9.]+)", text).groups()
    whole = 60 * float(minutes or 0) + float(seconds)
    matrix = json.loads(run(program, "matrix", "pool", "--estimator", "knife", "--json", cwd=folder))
    pairs = [[used / whole * value for value in row] for row in matrix["seconds"]]
    whole = used
    names = [(m["name"], m["dim"]) for m in matrix["models"]]
    os.mkdir(os.path.join(folder, "narrow"))
    write_narrow(os.path.join(folder, "narrow"), 200, 100, 4)
    text = run("mpirun", "-n", "2", "--bind-to", "none", program, "estimate", "narrow", "--estimator", "linear",
               "--threads", "1", cwd=folder)
    far, lead = re.search(r"(\d+) pairs by the others; handing them out took ([0-9.]+) s", text).groups()
    sum_pairs = sum(map(sum, pairs))
    about = {"models": names, "rows": 1500, "prepare": round(max(whole - sum_pairs, 0) / len(names), 6),
             "lead": round(float(lead) / int(far), 9), "far": int(far)}
    rows = ",\n  ".join(json.dumps([round(value, 5) for value in row]) for row in pairs)
    with open(out, "w", encoding="utf-8") as file:
        file.write('%s,\n "seconds": [\n  %s]}\n' % (json.dumps(about)[:-1], rows))
    print("%d pairs in %.1f s, of which %.1f s in pairs; rank 0: %.3f ms a pair of another rank (%s pairs, %s s)" %
          (len(names) ** 2, whole, sum_pairs, 1000 * float(lead) / int(far), far, lead))
