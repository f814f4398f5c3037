#!/usr/bin/env python3
"""Every format of embedder files against NumPy reading the same: peak memory and seconds.

    tests/bench/readers.py build/release/embedscope [ROWS COLUMNS [FORMAT ...]]

One file after the other is written to a temporary folder ($TMPDIR), read by `embedscope info` (which
also looks at every value and makes a digest) for the first time and again, then by Python as a user
would, each in a process of its own. Prints rows of a Markdown table: seconds of the processor (user
and system), peak of resident memory.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

DISTINCT = 1000  # rows of text that are made; then they repeat under other ids


def matrix(n, d):
    return np.random.default_rng(0).standard_normal((n, d), dtype="f4")


def lines(n, d, line, path, head=""):
    rows = matrix(min(n, DISTINCT), d)
    texts = [line(row.tolist()) for row in rows]
    with open(path, "w") as f:
        f.write(head)
        for i in range(n):
            f.write(texts[i % len(texts)].replace("ID", f"doc{i}", 1))


def word_binary(n, d, path):
    x = matrix(n, d)
    with open(path, "wb") as f:
        f.write(f"{n} {d}\n".encode())
        for i in range(n):
            f.write(f"doc{i} ".encode() + x[i].tobytes() + b"\n")


def hdf5(n, d, path, **how):
    import h5py

    with h5py.File(path, "w") as f:
        f.create_dataset("emb", data=matrix(n, d), **how)


def anndata(n, d, path):
    import h5py

    with h5py.File(path, "w") as f:
        f["X"] = matrix(n, d)
        f.create_group("obs").attrs["_index"] = "_index"
        f["obs"]["_index"] = np.array([f"doc{i}" for i in range(n)], dtype=h5py.string_dtype())


def safetensors(n, d, path):
    x = matrix(n, d)
    head = json.dumps({"emb": {"dtype": "F32", "shape": [n, d], "data_offsets": [0, x.nbytes]}})
    head = head.ljust(-len(head) % 8 + len(head)).encode()
    with open(path, "wb") as f:
        f.write(len(head).to_bytes(8, "little") + head)
        x.tofile(f)


READ_SAFETENSORS = """
f = open(p, 'rb'); head = int.from_bytes(f.read(8), 'little'); f.seek(8 + head)
x = np.fromfile(f, '<f4')
"""
READ_BINARY = """
f = open(p, 'rb'); n, d = map(int, f.readline().split()); x = np.empty((n, d), 'f4')
for i in range(n):
    while f.read(1) != b' ': pass
    x[i] = np.frombuffer(f.read(4 * d), '<f4'); f.read(1)
"""
READ_TEXT = """
f = open(p); n, d = map(int, f.readline().split()); x = np.empty((n, d), 'f4')
for i, line in enumerate(f): x[i] = line.split(' ')[1:]
"""
FORMATS = {
    ".npy": ("e.npy", "mapped", lambda n, d, p: np.save(p, matrix(n, d)), "x = np.load(p)"),
    ".npy, float64": ("e.npy", "mapped", lambda n, d, p: np.save(p, matrix(n, d).astype("f8")),
                      "x = np.load(p)"),
    ".npy, float16": ("e.npy", "mapped", lambda n, d, p: np.save(p, matrix(n, d).astype("f2")),
                      "x = np.load(p)"),
    ".safetensors": ("e.safetensors", "mapped", safetensors, READ_SAFETENSORS),
    ".npz, stored": ("e.npz", "mapped", lambda n, d, p: np.savez(p, matrix(n, d)),
                     "x = np.load(p)['arr_0']"),
    ".npz, deflated": ("e.npz", "unpacked once",
                       lambda n, d, p: np.savez_compressed(p, matrix(n, d)),
                       "x = np.load(p)['arr_0']"),
    ".h5, contiguous": ("e.h5", "mapped", hdf5, "import h5py; x = h5py.File(p)['emb'][:]"),
    ".h5, gzip": ("e.h5", "unpacked once",
                  lambda n, d, p: hdf5(n, d, p, chunks=(256, d), compression="gzip"),
                  "import h5py; x = h5py.File(p)['emb'][:]"),
    ".h5ad": ("e.h5ad", "mapped", anndata, "import h5py; x = h5py.File(p)['X'][:]"),
    "word2vec binary": ("e.bin", "copied once", word_binary, READ_BINARY),
    "word2vec text": ("e.vec", "read once",
                      lambda n, d, p: lines(n, d, lambda r: "ID " + " ".join(map(str, r)) + "\n",
                                            p, f"{n} {d}\n"), READ_TEXT),
    "GloVe": ("e.txt", "read once",
              lambda n, d, p: lines(n, d, lambda r: "ID " + " ".join(map(str, r)) + "\n", p),
              READ_TEXT.replace("n, d = map(int, f.readline().split()); "
                                "x = np.empty((n, d), 'f4')",
                                "x = []").replace("x[i] = line.split(' ')[1:]",
                                                  "x.append(np.array(line.split(' ')[1:], 'f4'))")
              + "x = np.stack(x)"),
    ".tsv": ("e.tsv", "read once",
             lambda n, d, p: lines(n, d, lambda r: "\t".join(map(str, r)) + "\n", p),
             "x = np.loadtxt(p, delimiter='\\t')"),
    ".csv": ("e.csv", "read once",
             lambda n, d, p: lines(n, d, lambda r: ",".join(map(str, r)) + "\n", p),
             "x = np.loadtxt(p, delimiter=',')"),
    ".jsonl": ("e.jsonl", "read once",
               lambda n, d, p: lines(n, d, lambda r: json.dumps({"id": "ID", "embedding": r})
                                     + "\n", p),
               "import json; x = np.array([json.loads(l)['embedding'] for l in open(p)])"),
}


def apart(write, n, d, path):
    """In a process of its own: what this one holds would count as its children's peak."""
    child = os.fork()
    if child == 0:
        write(n, d, path)
        os._exit(0)
    os.waitpid(child, 0)


def measure(command, environment):
    begin = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command} failed")
    return (used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, time.monotonic() - begin)


def main():
    program = os.path.abspath(sys.argv[1])
    n, d = map(int, sys.argv[2:4]) if len(sys.argv) > 3 else (100000, 768)
    print("| format | read how | first: s, MB | again: s, MB | NumPy: s, MB |")
    print("| --- | --- | --- | --- | --- |")
    for name in sys.argv[4:] or FORMATS:
        file, how, write, read = FORMATS[name]
        folder = tempfile.mkdtemp()
        try:
            path = os.path.join(folder, "pool", file)
            os.mkdir(os.path.dirname(path))
            apart(write, n, d, path)
            np.save(os.path.join(folder, "pool", "small.npy"), matrix(n, 2))  # two are needed
            environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"),
                               OPENBLAS_NUM_THREADS="1")
            ours = [program, "info", os.path.dirname(path)]
            first, again = measure(ours, environment), measure(ours, environment)
            theirs = measure(["/usr/bin/python3", "-c",
                              f"import numpy as np\np = {path!r}\n{read}"], environment)
            cells = " | ".join(f"{s:.1f}, {m:.0f}" for s, m, _ in (first, again, theirs))
            print(f"| {name} | {how} | {cells} |", flush=True)
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
