#!/usr/bin/env python3
"""efficiency.py PROGRAM POOL [TURNS [OPTION...]]: what two ranks of one thread cost beside one process of two.

Both estimate the pool anew, in turns, so that what else runs on the machine hits both. Of each turn the seconds of the
pairs' estimation (as the program says them: what starting MPI takes is left out), and the processor time of all
processes. Prints every turn, and medians of the ratios of pairs of turns. No store is written.
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

program, pool = map(os.path.abspath, sys.argv[1:3])
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
options = sys.argv[4:]
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_plm="isolated", LC_ALL="C")
words = [program, "estimate", "pool", "--no-store", *options]
ways = {"2 threads": [*words, "--threads", "2"],
        "2 ranks": ["mpirun", "-n", "2", "--bind-to", "none", *words, "--threads", "1"]}


def run(line, folder):
    out = open(os.path.join(folder, "out"), "w+")
    process = subprocess.Popen(line, cwd=folder, env=environment, stdout=out, stderr=subprocess.DEVNULL)
    began = time.monotonic()
    _, code, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - began
    out.seek(0)
    text = out.read()
    if code:
        sys.exit("%s: exit code %d\n%s" % (" ".join(line), code, text))
    said = re.search(r"estimated in (?:(\d+):)?([0-9.]+)( s)?", text)
    seconds = 60 * float(said[1] or 0) + float(said[2])
    return seconds, used.ru_utime + used.ru_stime, wall


with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(pool, os.path.join(folder, "pool"), ignore=shutil.ignore_patterns(".embedscope"))
    rows = {name: [] for name in ways}
    for turn in range(turns):
        for name in sorted(ways, reverse=turn % 2 == 0):
            rows[name].append(run(ways[name], folder))
            print("turn %d, %-9s %6.2f s of pairs, %6.2f s of processor, %6.2f s in all" %
                  (turn + 1, name, *rows[name][-1]), flush=True)
    for what, at in (("pairs", 0), ("processor time", 1)):
        ratios = [a[at] / b[at] for a, b in zip(rows["2 threads"], rows["2 ranks"])]
        print("%s, 2 threads / 2 ranks: median %.3f (%s)" %
              (what, statistics.median(ratios), ", ".join("%.3f" % r for r in sorted(ratios))))
