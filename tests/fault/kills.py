#!/usr/bin/env python3
"""kills.py PROGRAM KILLS [SEED]: kill -9 at random moments, of every command that writes.

After each: the store is whole, every pair in it is that of an undisturbed run and none that was
there is gone, a file named by -o is the old one or the whole new one, and the pool is read without
a word. Prints TAP.
"""
import array
import glob
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
KILLS = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time())
random.seed(SEED)
print(f"# seed {SEED}", flush=True)
WORK = tempfile.mkdtemp()
os.chdir(WORK)
for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[variable] = WORK
os.environ.update(LC_ALL="C.UTF-8", TERM="xterm-256color")
OLD = "what was there before\n"
KEYS = [":wait idle", ":run", ":wait done", ":derive a --pca 2 --name byhand", ":wait idle"]
MATRIX = "matrix pool --estimator linear --csv -q"

# Each command, the file that it writes by -o, and how a whole one of these ends.
COMMANDS = {
    "estimate": ("estimate pool --threads 2 -q", None, None),
    "estimate again": ("estimate pool --threads 2 --refresh --estimator linear -q", None, None),
    "derive": ("derive pool a --pca 3 --name derived -q", None, None),
    "remove": ("derive pool --remove derived -q", None, None),
    "merge": ("merge pool share.db -q", None, None),
    "matrix": (MATRIX + " -o out.csv", "out.csv", None),
    "export": ("export pool ranking -o out.svg -q", "out.svg", "</svg>"),
    "report": ("report pool -o out.html -q", "out.html", "</html>"),
    "explorer": ("pool --script keys --size 100x30", None, None),
}


def run(line, **more):
    return subprocess.run([PROGRAM, *line.split()], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, **more)


def make_pool():
    os.mkdir("origin")
    factor = [[random.gauss(0, 1) for _ in range(4)] for _ in range(300)]
    for name, width in zip("abcdef", (6, 8, 5, 12, 7, 16)):
        mix = [[random.gauss(0, 1) for _ in range(4)] for _ in range(width)]
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (300, {width}), }}".ljust(117)
        values = array.array("f", (sum(m * z for m, z in zip(w, row)) + random.gauss(0, 0.5)
                                   for row in factor for w in mix))
        with open(f"origin/{name}.npy", "wb") as file:
            file.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head) + 1) + head.encode() +
                       b"\n" + values.tobytes())
    with open("origin/scores.csv", "w", encoding="utf-8") as file:
        file.write("model,task\n" + "".join(f"{n},{i}\n" for i, n in enumerate("abcdef")))
    with open("keys", "w", encoding="utf-8") as file:
        file.write("\n".join(KEYS) + "\n")


def stored():
    """Every pair of the pool's store by what it stands under; None: no store yet."""
    path = "pool/.embedscope/results.db"
    if not os.path.exists(path):
        return {}
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "the store is damaged"
    if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'pair'").fetchone()[0]:
        return {}
    rows = db.execute("SELECT estimator, r.version, settings, seed, rowset, source, target, is_, se,"
                      " h, h_cond, n_eval, epochs FROM run r JOIN pair p ON p.run = r.id"
                      " WHERE failed = 0").fetchall()
    db.close()
    return {row[:7]: row[7:] for row in rows}


def look(before, usual, command):
    now = stored()
    for key, values in now.items():
        assert usual.setdefault(key, values) == values, f"another value for {key[0]}"
    assert not before.keys() - now.keys(), "a pair is gone"
    done = run("info pool --json")
    assert done.returncode == 0, f"info: {done.stderr}"
    json.loads(done.stdout)
    _, out, end = COMMANDS[command]
    if out:
        with open(out, encoding="utf-8") as file:
            text = file.read()
        # What a matrix holds depends on who was derived before.
        whole = text.rstrip().endswith(end) if end else text == run(MATRIX).stdout
        assert text == OLD or whole, f"{out} is neither old nor whole"


def usual_run():
    """What an undisturbed run stores, and how long each command takes."""
    shutil.copytree("origin", "pool")
    assert run("estimate pool --estimator linear --store share.db --shard 1/2 -q").returncode == 0
    took = {}
    for name, (line, _, _) in COMMANDS.items():
        start = time.monotonic()
        done = run(line)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        took[name] = time.monotonic() - start
    return stored(), took


def one_kill(command, seconds, usual):
    """True if the command was still there to be killed."""
    line, out, _ = COMMANDS[command]
    fresh = 0.8 if command == "estimate" else 0.3 # what is all stored is over at once
    if random.random() < fresh or not os.path.exists("pool"):
        shutil.rmtree("pool", ignore_errors=True)
        shutil.copytree("origin", "pool")
    if out and command == "matrix": # it has a whole matrix to write
        assert run("estimate pool --estimator linear -q").returncode == 0
    if command == "remove":
        run("derive pool a --pca 3 --name derived -q")
    if out:
        with open(out, "w", encoding="utf-8") as file:
            file.write(OLD)
    before = stored()
    with subprocess.Popen([PROGRAM, *line.split()], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(random.uniform(0, 1.1 * seconds))
        alive = process.poll() is None
        process.send_signal(signal.SIGKILL)
    look(before, usual, command)
    return alive


def main():
    make_pool()
    usual, took = usual_run()
    killed = dict.fromkeys(COMMANDS, 0)
    code = 0
    try:
        for i in range(5 * KILLS):
            if sum(killed.values()) >= KILLS:
                break
            command = random.choice(list(COMMANDS))
            killed[command] += one_kill(command, took[command], usual)
        assert sum(killed.values()) >= KILLS, "too few were still there to be killed"
        for path in glob.glob("pool/.embedscope/*.tmp*"):
            print(f"# left: {path}")
        print(f"ok 1 {sum(killed.values())} kills: " +
              ", ".join(f"{name} {n}" for name, n in killed.items()))
    except AssertionError as wrong:
        print(f"not ok 1 kill {sum(killed.values())} ({command}): {wrong}")
        code = 1
    shutil.rmtree(WORK, ignore_errors=True)
    return code


sys.exit(main())
