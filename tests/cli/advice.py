#!/usr/bin/env python3
"""advice.py PROGRAM: writes files as other programs leave them, asks the program what it makes of them,
runs every line of Python that it advises, and asks again: what was advised has to be used then, with the
values that were meant. Then all kinds in one folder: one table accounts for each file. Exit code 77: there
is no NumPy."""
import fcntl
import importlib
import json
import os
import pickle
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import zipfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)

N, D = 60, 8
RNG = np.random.default_rng(1)
X = RNG.normal(size=(N, D)).astype("float32")
IDS = [f"P{i:03d}" for i in range(N)]
BITS = RNG.integers(0, 2, size=(N * 5, 8 * D), dtype="uint8")
CASES = []


class Missing(Exception):
    pass


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(name) from error


def case(says, makes=None, values=X, rows=N):
    """The function writes a folder's files beside a.npy; `says` has to be said of them. makes: the new
    embedder's name, whose values are then `values`; None: no line of Python is advised; "": one is, of
    which nothing is asked."""
    def keep(write):
        CASES.append((write, says, makes, values, rows))
        return write
    return keep


def save_safetensors(path, tensors):
    header, data = {}, b""
    for name, x in tensors.items():
        header[name] = {"dtype": {"f": "F32"}[x.dtype.kind], "shape": list(x.shape),
                        "data_offsets": [len(data), len(data) + x.nbytes]}
        data += x.tobytes()
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def dump(path, x):
    with open(path, "wb") as f:
        pickle.dump(x, f)


def write(path, data):
    with open(path, "wb" if isinstance(data, bytes) else "w") as f:
        f.write(data)


# ---- numbers without a header ----

for ending in ("npy", "memmap", "dat", "raw", "bytes", "bin", "mmap", "f32"):
    @case("numbers alone", makes={"npy": "v-array"}.get(ending, f"v.{ending}"))
    def headerless(ending=ending):
        X.tofile(f"v.{ending}")


@case("counts and float32", makes="v.fbin")
def fbin():
    write("v.fbin", struct.pack("<ii", N, D) + X.tobytes())


@case("counts and uint8", makes="v.u8bin", values=(X * 9 + 99).astype("uint8"))
def u8bin():
    write("v.u8bin", struct.pack("<ii", N, D) + (X * 9 + 99).astype("uint8").tobytes())


@case("counts and int8", makes="v.i8bin", values=(X * 9).astype("int8"))
def i8bin():
    write("v.i8bin", struct.pack("<ii", N, D) + (X * 9).astype("int8").tobytes())


@case("float32 vectors, each after its length", makes="v.fvecs")
def fvecs():
    write("v.fvecs", b"".join(struct.pack("<i", D) + x.tobytes() for x in X))


@case("uint8 vectors, each after its length", makes="v.bvecs", values=(X * 9 + 99).astype("uint8"))
def bvecs():
    write("v.bvecs", b"".join(struct.pack("<i", D) + x.tobytes() for x in (X * 9 + 99).astype("uint8")))


# ---- what Python keeps ----

@case("Python pickle", makes="v")
def pickled_matrix():
    dump("v.pkl", X)


@case("Python pickle", makes="v")
def pickled_list():
    dump("v.pkl", list(X))


@case("Python pickle", makes="v")
def pickled_dict_of_vectors():
    dump("v.pkl", dict(zip(IDS, X)))


@case("Python pickle", makes="v")
def pickled_dict_of_a_matrix():
    dump("v.pickle", {"ids": IDS, "model": "e5", "embeddings": X})


@case("pandas frame", makes="v")
def pickled_frame_of_numbers():
    library("pandas").DataFrame(X).to_pickle("v.pkl")


@case("pandas frame", makes="v")
def pickled_frame_with_a_column_of_lists():
    library("pandas").DataFrame({"id": IDS, "text": IDS, "n": range(N), "ada": list(X.tolist())}
                                ).to_pickle("v.pkl")


@case("Python objects", makes="v")
def npy_of_a_dict():
    np.save("v.npy", dict(zip(IDS, X)), allow_pickle=True)


@case("Python objects", makes="v")
def npy_of_lists():
    x = np.empty(N, object)
    x[:] = list(X)
    np.save("v.npy", x, allow_pickle=True)


@case("PyTorch archive", makes="v")
def torch_dict_of_vectors():
    torch = library("torch")
    torch.save({i: torch.tensor(x) for i, x in zip(IDS, X)}, "v.pt")


@case("PyTorch archive", makes="v")
def torch_dict_of_a_matrix():
    torch = library("torch")
    torch.save({"embeddings": torch.tensor(X), "labels": IDS}, "v.pt")


@case("PyTorch archive", makes="v")
def torch_list():
    torch = library("torch")
    torch.save([torch.tensor(x) for x in X], "v.pth")


@case("one vector, as ESM saves them", makes="")
def esm():
    os.mkdir("esm")
    with zipfile.ZipFile("esm/P0.pt", "w", zipfile.ZIP_STORED) as z:
        z.writestr("P0/data.pkl", pickle.dumps({"label": "P0", "mean_representations": {33: 1}}, 2))


# ---- files of other programs ----

@case("MATLAB file", makes="v")
def mat_with_other_variables():
    library("scipy.io").savemat("v.mat", {"labels": np.arange(N), "lr": 0.1, "names": IDS, "X": X})


@case("HDF5 file", makes="v.hdf")
def hdf5_under_another_name():
    with library("h5py").File("v.hdf", "w") as f:
        f["g/x"] = X
        f["y"] = np.arange(N)


@case("HDF5 file", makes="v.hdf")
def hdf5_of_vectors_under_another_name():
    with library("h5py").File("v.hdf", "w") as f:
        for i, x in zip(IDS, X):
            f[i] = x


@case("HDF5 file", makes="v.hdf")
def hdf5_of_matlab_under_another_name():
    with library("h5py").File("v.hdf", "w") as f:
        f["x"] = X.T
        f["x"].attrs["MATLAB_class"] = np.bytes_("single")


@case("Parquet", makes="v")
def parquet():
    library("pyarrow")
    library("pandas").DataFrame({"id": IDS, "ada": list(X.tolist())}).to_parquet("v.parquet")


@case("an Arrow file", makes="v")
def feather():
    library("pyarrow")
    library("pandas").DataFrame({"id": IDS, "ada": list(X.tolist())}).to_feather("v.feather")


@case("a stream of Arrow", makes="v")
def arrow_stream():
    arrow = library("pyarrow")
    table = arrow.table({"text": IDS, "vec": X.tolist()})
    with arrow.OSFile("v.arrow", "wb") as f, arrow.ipc.new_stream(f, table.schema) as out:
        out.write_table(table)


@case("a stream of Arrow", makes="")
def arrow_stream_by_its_first_bytes():
    write("v.arrow", b"\xff\xff\xff\xff" + struct.pack("<ii", 64, 16) + bytes(200))


@case("fastText model", makes="")
def fasttext():
    write("v.bin", b"\xba\x16\x4f\x2f" + bytes(200))


@case("a list of rows", makes="v.json")
def json_rows():
    write("v.json", json.dumps(X.tolist()))


@case("vectors under their ids", makes="v.json")
def json_by_id():
    write("v.json", json.dumps(dict(zip(IDS, X.tolist()))))


@case("a list of objects", makes="v.json")
def json_objects():
    write("v.json", json.dumps([{"id": i, "embedding": x} for i, x in zip(IDS, X.tolist())]))


# ---- what is read as it is ----

def reads(name, values=X):
    """The file is used as it is: as `name`, with these rows, whatever order they stand in."""
    def keep(write_files):
        CASES.append((write_files, None, name, values, N))
        return write_files
    return keep


@reads("v")
def matlab_h5_is_turned():
    with library("h5py").File("v.h5", "w") as f:
        f["x"] = X.T
        f["x"].attrs["MATLAB_class"] = np.bytes_("single")


@reads("v")
def matlab_mat_without_its_labels():
    with library("h5py").File("v.mat", "w", userblock_size=512) as f:
        for name, x, kind in (("x", X.T, "single"), ("y", X[:, :1].T, "single"), ("lr", X[:1, :1], "single"),
                              ("names", np.zeros((4, N), "uint16"), "char")):
            f.create_dataset(name, data=x, chunks=x.shape, compression="gzip").attrs["MATLAB_class"] = \
                np.bytes_(kind)
    with open("v.mat", "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")


@reads("v")
def hdf5_of_vectors():
    with library("h5py").File("v.h5", "w") as f:
        for i in RNG.permutation(N):
            f[IDS[i]] = X[i].astype("float64")


@reads("v")
def hdf5_of_rows_in_groups():
    with library("h5py").File("v.h5", "w") as f:
        for i in range(N):
            f[f"g{i % 3}/{IDS[i]}"] = X[i][None]


@reads("v")
def safetensors_of_vectors():
    save_safetensors("v.safetensors", dict(zip(IDS, X)))


@reads("v")
def safetensors_of_one_matrix_of_weights():
    save_safetensors("v.safetensors", {"embedding.weight": X})


# ---- what stands in place of a file ----

for ending in ("npy", "npz", "safetensors", "csv", "h5", "jsonl", "bin", "pt", "vec"):
    @case("a Git LFS pointer, not the file itself; git lfs pull")
    def lfs(ending=ending):
        write(f"v.{ending}", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")


@case("git annex get")
def annex():
    write("v.npy", "/annex/objects/SHA256E-s12--00.npy\n")


for page in ("<!DOCTYPE html>\n<html>", "\n <html lang='en'>", "\ufeff<!doctype HTML>"):
    @case("a web page (HTML), not the file itself")
    def html(page=page):
        write("v.npy", page + "<title>Sign in</title>")


@case("is XML, as a server answers")
def xml():
    write("v.npy", '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')


for ending in ("part", "crdownload", "partial", "tmp"):
    @case("a download that is not finished")
    def download(ending=ending):
        np.save("v.npy", X)
        os.rename("v.npy", f"v.npy.{ending}")


# ---- parts, vectors, sides ----

def parts(pattern, first, count=3):
    for i, x in enumerate(np.array_split(X, count)):
        np.save(pattern % (first + i), x)


@case("part 1 of 3 of one matrix", makes="v")
def parts_by_word():
    parts("v_part%d.npy", 1)


@case("part 1 of 3 of one matrix", makes="shard")
def parts_by_of():
    parts("shard-%05d-of-00003.npy", 1)


@case("part 2 of 3 of one matrix", makes="v")
def parts_by_their_sum():
    parts("v_%d.npy", 0)


@case("part 1 of 12 of one matrix", makes="v")
def parts_by_the_dozen():
    parts("v_%d.npy", 0, 12)


@case("part 3 of 3 of one matrix", makes="v")
def parts_in_a_folder():
    os.mkdir("v")
    parts("v/part-%d.npy", 0)


@case("of which 2 are there")
def parts_of_which_one_is_missing():
    parts("v-%05d-of-00003.npy", 1)
    os.remove("v-00002-of-00003.npy")
    os.rename("v-00003-of-00003.npy", "v-00002-of-00003.npy")


@case("60 files of one row of 8 columns each", makes="v")
def folder_of_vectors():
    os.mkdir("v")
    for i, x in zip(IDS, X):
        np.save(f"v/{i}.npy", x)


@case("60 files of one row of 8 columns each", makes="vectors")
def pool_of_vectors():
    for i, x in zip(IDS, X):
        np.save(f"{i}.npy", x[None])


@case("60 files of different rows of 8 columns each", makes="v")
def folder_of_matrices():
    os.mkdir("v")
    for k, (i, x) in enumerate(zip(IDS, X)):
        np.save(f"v/{i}.npy", np.repeat(x[None], k + 2, axis=0))


@case("holds 60 matrices of 8 columns, each of other rows", makes="v-means")
def hdf5_of_matrices():
    with library("h5py").File("v.h5", "w") as f:
        for k, (i, x) in enumerate(zip(IDS, X)):
            f[i] = np.repeat(x[None], k + 2, axis=0)


@case("holds 60 matrices of 8 columns, each of other rows", makes="v-means")
def npz_of_matrices():
    np.savez("v.npz", **{i: np.repeat(x[None], k + 2, axis=0) for k, (i, x) in enumerate(zip(IDS, X))})


@case("holds 60 matrices of 8 columns, each of other rows", makes="v-means")
def npz_of_matrices_of_few_lengths():
    np.savez("v.npz", **{i: np.repeat(x[None], k % 7 + 2, axis=0) for k, (i, x) in enumerate(zip(IDS, X))})


@case("holds 60 vectors; as rows of one matrix", makes="v-rows")
def npz_of_vectors():
    np.savez("v.npz", **dict(zip(IDS, X)))


@case("its columns are as many: it is transposed", makes="v-turned")
def transposed():
    np.save("b.npy", X)
    np.save("v.npy", np.ascontiguousarray(X.T))


@case("1 row missing")
def one_row_missing():
    np.save("b.npy", X)
    np.save("v.npy", X[1:])


@case("1 row too many")
def one_row_too_many():
    np.save("b.npy", X)
    np.save("v.npy", np.vstack([X[:1], X]))


@case("a benchmark of nearest neighbours", makes="v-train")
def ann_benchmarks():
    with library("h5py").File("v.hdf5", "w") as f:
        f["train"], f["test"] = X, X[:20]
        f["neighbors"], f["distances"] = np.zeros((20, 9), "int32"), np.zeros((20, 9), "float32")


@case("looks like the weights of a network (6 tensors")
def weights():
    save_safetensors("v.safetensors", {f"h.{i}.{p}": X[:D] if p == "weight" else X[0]
                                       for i in range(3) for p in ("weight", "bias")})


@case("looks like the weights of a network (4 tensors")
def weights_of_keras():
    with library("h5py").File("v.h5", "w") as f:
        for i in range(2):
            f[f"model_weights/dense_{i}/kernel:0"], f[f"model_weights/dense_{i}/b:0"] = X, X[:, :1]


@case("\"kind\": \"bits\" in pool.json unpacks them", makes="v-bits", values=BITS, rows=5 * N)
def packed():
    np.save("a.npy", RNG.normal(size=(5 * N, 4)))
    np.save("v.npy", np.packbits(BITS, axis=1))


@case("packed bits a row, this unpacks them", makes="v-bits", values=BITS, rows=5 * N)
def packed_as_lists():
    np.save("a.npy", RNG.normal(size=(5 * N, 4)))
    np.save("v.npy", np.packbits(BITS, axis=1).astype("int64"))


@case("it says which row is which", makes="v-ids")
def ids_among_values():
    np.save("v.npy", np.hstack([np.arange(N)[:, None] * 3, X]))


@case("not searched: 2 files of embeddings lie there")
def too_deep():
    os.makedirs("a/b/c/d/e")
    np.save("a/b/c/d/v.npy", X)
    np.save("a/b/c/d/e/v.npy", X)


@case("4 other files of embeddings are not read")
def hidden_by_pool_json():
    for name in "bcde":
        np.save(f"{name}.npy", X)
    write("pool.json", '{"models": [{"file": "a.npy"}]}')


# ---- running ----

def info(program):
    done = subprocess.run([program, "info", "pool", "--json", "-q"], capture_output=True, text=True)
    assert done.returncode in (0, 4), done
    return json.loads(done.stdout)


def everything_said(document):
    return ([m["excluded"] for m in document["models"] if m["excluded"]] + document["warnings"] +
            [u["why"] for u in document["unused"]])


def advised(said):
    """Lines of Python as a shell takes them."""
    return re.findall(r"""python3 -c (?:"[^"]*"|'[^']*')""", said)


def created(values):
    x = values["x"] if not isinstance(values, np.ndarray) and "x" in values else values
    if isinstance(x, np.ndarray):
        return x
    return next(x[k] for k in x if x[k].ndim == 2)


def check_made(document, makes, values):
    model = next((m for m in document["models"] if not m["excluded"] and
                  m["file"] in (f"{makes}.npy", f"{makes}.npz", f"{makes}.jsonl")), None)
    assert model, f"{makes} is not used: {document['models']}"
    path = os.path.join("pool", model["file"])
    if path.endswith(".jsonl"):
        with open(path) as f:
            x = np.array([json.loads(line)["embedding"] for line in f], "float32")
    else:
        x = created(np.load(path))
    assert x.shape == values.shape and np.allclose(x, values), (x.shape, values.shape)


def run_case(program, write_files, says, makes, values, rows):
    os.mkdir("pool")
    os.chdir("pool")
    np.save("a.npy", RNG.normal(size=(N, 4)))
    write_files()
    os.chdir("..")
    if says is None:
        model = next(m for m in info(program)["models"] if m["name"] == makes)
        assert not model["excluded"] and (model["rows"], model["dim"]) == values.shape, model
        norms = np.linalg.norm(values.astype("float64"), axis=1)
        assert abs(model["norm_mean"] - norms.mean()) < 1e-6 * norms.mean(), model
        return
    said = "\n".join(everything_said(info(program)))
    assert says in said, f"not said: {says}\n{said}"
    lines = advised(said)
    assert bool(lines) == (makes is not None), said
    if not makes:
        return
    for line in lines:
        assert "FILE" not in line and "ROWS" not in line, line
        subprocess.run(["sh", "-c", line], check=True)
    after = info(program)
    assert after["pool"]["rows"] == rows, after["pool"]
    check_made(after, makes, values)


# ---- all in one folder ----

ALONE = {"pool_of_vectors", "packed", "packed_as_lists", "ids_among_values", "hidden_by_pool_json", "one_row_missing", "too_deep", "transposed"}


def fill_folder():
    """Files of every kind that can be beside others. Paths, folders with a slash at the end, and what info
    reports of them, a kind each."""
    os.mkdir("pool")
    np.save("pool/a.npy", RNG.normal(size=(N, 4)))
    np.save("pool/turned.npy", np.ascontiguousarray(X.T))
    os.makedirs("pool/d/e/f/g")
    np.save("pool/d/e/f/g/v.npy", X)
    kinds = [(["a.npy"], "used as a"), (["turned.npy"], "it is transposed"), (["d/"], "not searched: 1 file")]
    for at, (write_files, says, *_) in enumerate(CASES):
        name, paths = write_files.__name__, []
        os.mkdir("kind")
        os.chdir("kind")
        try:
            if name not in ALONE:
                write_files()
        except Missing:
            pass
        os.chdir("..")
        for file in sorted(set(os.listdir("kind")) - set(os.listdir("pool"))):
            path = f"{name[:12]}_{at}x{file[1:]}" if file[0] == "v" else file
            os.rename(f"kind/{file}", f"pool/{path}")
            paths.append(path + "/" * os.path.isdir(f"pool/{path}"))
        shutil.rmtree("kind")
        if paths:
            kinds.append((paths, says or "used as"))
    return kinds


def on_terminal(program, columns):
    """What info prints on a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([program, "info", "pool", "-q"], stdin=theirs, stdout=theirs,
                          stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "dumb"}) as child:
        os.close(theirs)
        text = b""
        try:
            while got := os.read(ours, 1 << 16):
                text += got
        except OSError:
            pass
        os.close(ours)
    assert child.returncode in (0, 4), child.returncode
    return text.decode().replace("\r", "").splitlines()


def run_folder(program):
    """One table has a row for each file, with what it is used as or why it is not, whatever the width."""
    kinds = fill_folder()
    assert sum(len(paths) for paths, _ in kinds) > 40, kinds
    for columns in (80, 120):
        lines = on_terminal(program, columns)
        table = lines[lines.index("files") + 1:]
        rows = {}
        for line in table[:table.index("")]:
            assert len(line) <= columns or "python3 -c" in line or " " not in line.strip(), line
            if re.match("  [^ ]", line):
                name, _, line = line.strip().partition(" ")
                rows[name] = ""
            rows[name] += " " + line.strip()
        for paths, says in kinds:
            own = {path: [text for name, text in rows.items() if name.startswith(path)] for path in paths}
            assert all(own.values()), f"{own} is not in the table"
            assert says in " ".join(sum(own.values(), [])), f"not said: {says}\n{own}"
        assert all(re.match(" *(used as|not used:) ", text) for text in rows.values()), rows
        named = tuple(path for paths, _ in kinds for path in paths)
        assert all(name.startswith(named) for name in rows), rows.keys()


def main():
    program = os.path.abspath(sys.argv[1])
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    home = tempfile.mkdtemp(prefix="es_advice_")
    os.mkdir(os.path.join(home, "bin"))
    os.symlink(sys.executable, os.path.join(home, "bin", "python3"))
    os.environ.update(HOME=home, PATH=os.path.join(home, "bin") + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")
    failed, skipped = [], []
    for at, (write_files, *rest) in enumerate(CASES):
        name = write_files.__name__
        if only not in name:
            continue
        folder = os.path.join(home, f"{at}-{name}")
        os.mkdir(folder)
        os.chdir(folder)
        try:
            run_case(program, write_files, *rest)
        except Missing as missing:
            skipped.append(f"{name} (no {missing})")
        except (AssertionError, subprocess.CalledProcessError) as error:
            failed.append(f"{at}-{name}: {error}")
        os.chdir(home)
    if not only:
        os.mkdir(os.path.join(home, "folder"))
        os.chdir(os.path.join(home, "folder"))
        try:
            run_folder(program)
        except AssertionError as error:
            failed.append(f"all in one folder: {error}")
    os.chdir("/")
    shutil.rmtree(home)
    print(f"{len(CASES)} kinds of files; skipped: {', '.join(skipped) or 'none'}")
    for line in failed:
        print(line)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
