"""Reads a trained embedder as any program could: read_model.py MODEL.safetensors ROWS.npy MU.npy INFO.npy

The format by its specification alone, a network by the metadata: is what comes out what the program wrote?
"""

import json
import math
import struct
import sys


def npy(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length], {"__builtins__": {}})  # a literal, as numpy writes it
    rows, columns = header["shape"]
    values = struct.unpack_from(f"<{rows * columns}{header['descr'][1:].replace('f4', 'f').replace('f8', 'd')}",
                                data, 10 + length)
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    notes, tensors = header.pop("__metadata__"), {}
    end = 0
    for name, about in header.items():
        begin, stop = about["data_offsets"]
        assert begin == end, "a hole before " + name
        end = stop
        rows, columns = about["shape"]
        values = struct.unpack_from(f"<{rows * columns}{'fd'[about['dtype'] == 'F64']}", data, 8 + length + begin)
        tensors[name] = [values[i * columns:(i + 1) * columns] for i in range(rows)]
    assert 8 + length + end == len(data)
    return notes, tensors


def linear(x, tensors, name):
    w, b = tensors[name + ".weight"], tensors[name + ".bias"][0]
    return [sum(v * row[j] for v, row in zip(x, w)) + b[j] for j in range(len(b))]


def main():
    notes, tensors = safetensors(sys.argv[1])
    recipe = dict(word.split("=") for word in notes["recipe"].split())
    act = math.tanh if recipe["activation"] == "tanh" else lambda v: max(v, 0)
    column, shift, factor = tensors["columns"]
    rows, mu, info = (npy(path) for path in sys.argv[2:5])
    assert len(rows) == len(mu) == len(info) and rows[0].__len__() == int(notes["input_columns"])
    assert [s["name"] for s in json.loads(notes["sources"])] and int(notes["seed"]) >= 0
    worst = 0
    for x, code, hidden in list(zip(rows, mu, info))[:20]:
        h = [(x[int(c)] - s) * f for c, s, f in zip(column, shift, factor)]
        for layer in range(int(recipe["layers"])):
            h = [act(v) for v in linear(h, tensors, f"encoder.{layer}")]
        h = linear(h, tensors, "mu")
        worst = max([worst] + [abs(a - b) for a, b in zip(h, code)])
        for layer in range(int(recipe["layers"])):
            h = [act(v) for v in linear(h, tensors, f"decoder.{layer}")]
        worst = max([worst] + [abs(a - b) for a, b in zip(h, hidden)])
        assert len(h) == len(hidden)
    assert worst < 1e-4, worst


main()
