#!/usr/bin/env python3
"""Writes the files of tests/io/test_readers.c, as NumPy, json, h5py and the word2vec formats have them.

Every matrix holds value(i, j) = i - j / 8 + 0.25 over 5 rows, and row i is called "r<i>" where there
are ids. All values are exact in float16, so each type gives the same numbers. Run it in this folder. A fuzzer made
no_end.h5, in whose texts the HDF5 library goes round for ever.
"""
import io
import json
import zipfile

import numpy as np

N, D = 5, 4
X = np.add.outer(np.arange(N), -np.arange(D) / 8) + 0.25
IDS = [f"r{i}" for i in range(N)]


def npz():
    np.savez("one.npz", X.astype("f4"))
    np.savez("several.npz", a=X.astype(">f8"), b=np.asfortranarray(X[:, :3].astype("f2")),
             ids=np.array(IDS), labels=np.arange(N), cube=np.zeros((2, 2, 2)))
    np.savez_compressed("packed.npz", emb=np.asfortranarray(X), ids=np.arange(N, dtype="i2") - 2)
    raw = open("packed.npz", "rb").read()
    open("damaged.npz", "wb").write(raw.replace(raw[60:64], b"\xff\xff\xff\xff", 1))
    with zipfile.ZipFile("big.npz", "w") as z:  # zip64 records as for 4 GB and more
        with z.open("w.npy", "w", force_zip64=True) as f:
            np.save(f, X)
    np.savez("idpairs.npz", emb=X, ids=np.ones((N, 2), "i4"))
    # as scipy.sparse.save_npz writes a matrix by rows
    np.savez("sparse.npz", indices=np.arange(N, dtype="i4"), indptr=np.arange(N + 1, dtype="i4"),
             format=np.array(b"csr"), shape=np.array([N, N]), data=np.ones(N))


def text():
    with open("rows.jsonl", "w") as f:
        for i, name in enumerate(IDS):
            f.write(json.dumps({"id": name, "text": 'a "b" ] [ \\', "tags": [[1], {"x": [2]}],
                                "embedding": X[i].tolist(), "n": None}) + "\n")
        f.write("\n")
    with open("bare.jsonl", "w") as f:
        f.write("\n".join(json.dumps(row.tolist()) for row in X))
    with open("words.vec", "w") as f:
        f.write(f"{N} {D}\n")
        for i, name in enumerate(IDS):
            f.write(f"{name} {' '.join(map(str, X[i]))} \n")
    with open("glove.txt", "w") as f:
        for i, name in enumerate(IDS):
            f.write(f"{name if i != 2 else '. . .'} {' '.join(map(str, X[i]))}\n")
    np.savetxt("plain.txt", X)
    with open("ids.csv", "w") as f:
        f.write("id," + ",".join(f"x{j}" for j in range(D)) + "\r\n")
        for i, name in enumerate(IDS):
            f.write(f'"{name}",' + ",".join(map(str, X[i])) + "\r\n")
    with open("noheader.csv", "w") as f:
        for i, name in enumerate(IDS):
            f.write(f"{name}," + ",".join(map(str, X[i])) + "\n")
    with open("words.bin", "wb") as f:
        f.write(f"{N} {D}\n".encode())
        for i, name in enumerate(IDS):
            f.write(name.encode() + b" " + X[i].astype("<f4").tobytes() + b"\n")


def hdf5():
    import h5py

    with h5py.File("plain.h5", "w") as f:
        f["emb"] = X.astype("f4")
        f.create_dataset("packed", data=X, chunks=(2, 3), compression="gzip", shuffle=True)
        f["deep/er"] = X[:, :2].astype(">f8")
        f["ids"] = np.array(IDS, dtype="S")
        f["labels"] = np.arange(N)
    for name, ids in (("column", np.array(IDS, dtype="S")[:, None]), ("pairs", np.ones((N, 2), "i4"))):
        with h5py.File(name + ".h5", "w") as f:
            f["emb"] = X
            f["ids"] = ids
    with h5py.File("lists.h5", "w") as f:  # what may be ids under other names, and what may not
        f["emb"] = X
        f["accession"] = np.array(IDS, dtype="S")
        f["more/node"] = np.arange(N) * 7 + 3
        f["labels"] = np.arange(N) // 2
        f["short"] = np.arange(N - 1)
    with h5py.File("cells.h5ad", "w") as f:
        f["X"] = X.astype("f4")
        f["obsm/X_pca"] = X[:, :3]
        f["layers/raw"] = X
        obs = f.create_group("obs")
        obs.attrs["_index"] = "_index"
        obs["_index"] = np.array(IDS, dtype=h5py.string_dtype())
    with h5py.File("sparse.h5ad", "w") as f:
        x = f.create_group("X")
        x.attrs["encoding-type"] = "csr_matrix"
        x["data"] = np.ones(3)
        x["indices"] = np.arange(3)
        x["indptr"] = np.arange(4)
        f["obsm/X_pca"] = X[:, :3]
    with h5py.File("whole.h5ad", "w") as f:  # whole numbers up to what doubles hold, and as ids
        f["X"] = X.astype("f4")
        for kind in ("i1", "u1", ">i2", "u2", "i4", ">u4", "i8", "u8"):
            low, high = max(np.iinfo(kind).min, -2**53), min(np.iinfo(kind).max, 2**53)
            f["obsm/" + kind.strip(">")] = np.array([[low + i, high - i] for i in range(N)], kind)
        obs = f.create_group("obs")
        obs.attrs["_index"] = "number"
        obs["number"] = np.arange(N, dtype=">i4") - 2
    level = h5py.enum_dtype({"LOW": 0, "MID": 1, "HIGH": 2, "TOP": 3}, "u1")
    with h5py.File("kinds.h5", "w") as f:  # what numbers may be, and what is none
        f["a_bool"] = np.arange(2 * N).reshape(N, 2) % 3 == 0
        f.create_dataset("b_level", data=np.arange(2 * N, dtype="u1").reshape(N, 2) % 4, dtype=level)
        f.create_dataset("c_wide", data=np.arange(2 * N, dtype="i2").reshape(N, 2),
                         dtype=h5py.enum_dtype({"FALSE": 0, "TRUE": 1}, "i2"))
        f["d_cube"] = np.zeros((N, 3, 2))
        f["e_texts"] = np.array([["a", "b"]] * N, "S1")
    with h5py.File("categories.h5ad", "w") as f:
        f["X"] = X
        obs = f.create_group("obs")
        obs.attrs["_index"] = "cell"
        obs["cell/codes"] = np.array([1, 0, 2, 4, 3], "i1")
        obs["cell/categories"] = np.array(["r1", "r0", "r2", "r4", "r3"], dtype=h5py.string_dtype())
    with h5py.File("old.h5ad", "w") as f:
        f["X"] = X
        f["obs"] = np.array([(i, 1.0) for i in range(N)], [("index", "i4"), ("n", "f8")])
    with h5py.File("masked.h5ad", "w") as f:
        f["X"] = X.astype("f4")
        index = f.create_group("obs/_index")
        index["values"] = np.array(IDS, dtype=h5py.string_dtype())
        index["mask"] = np.zeros(N, bool)
    with h5py.File("cycle.h5", "w", libver="latest") as f:  # groups that hold each other
        f["x"] = np.arange(12, dtype="f4").reshape(4, 3)
        g = f.create_group("g")
        for i in range(12):
            g[f"again{i}"] = f["/"]
            f[f"b{i}"] = g


if __name__ == "__main__":
    npz()
    text()
    hdf5()
