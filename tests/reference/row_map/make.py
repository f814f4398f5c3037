#!/usr/bin/env python3
"""The first two principal components of ../methods/iris.npy by NumPy's singular value decomposition,
with the largest entry of each axis positive: expected.csv holds row,x,y and, in row -1, the shares of
the variance."""
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
rows = np.load(here / "../methods/iris.npy").astype(float)
centred = rows - rows.mean(axis=0)
_, s, axes = np.linalg.svd(centred, full_matrices=False)
axes = axes[:2] * np.sign(axes[np.arange(2), np.abs(axes[:2]).argmax(axis=1)])[:, None]
places = centred @ axes.T
with open(here / "expected.csv", "w") as out:
    out.write("row,x,y\n")
    share = s**2 / (s**2).sum()
    out.write(f"-1,{share[0]!r},{share[1]!r}\n".replace("np.float64(", "").replace(")", ""))
    for i in range(0, len(rows), 10):
        out.write(f"{i},{float(places[i, 0])!r},{float(places[i, 1])!r}\n")
