#!/usr/bin/env python3
"""paper_pool.py FOLDER [EMBEDDERS ROWS [SHARE]]: synthetic embedders at the paper's scale: 45 of 160,000 rows and 18,560
columns in all, as float16 (5.9 GB). Each sees the first so many of 64 latent factors, the more the better it is; nine
families mix them by a matrix of their own. Needs NumPy. For the time to the first ranking of

    embedscope estimate FOLDER --estimator linear --preset shrunk --rows auto

With SHARE each has so many times fewer columns: 4 are enough to set the ranking of a sample against that of --rows all.
"""
import os
import sys

import numpy as np

folder = sys.argv[1]
count, rows = (int(word) for word in (sys.argv[2:4] or (45, 160000)))
share = int(sys.argv[4]) if len(sys.argv) > 4 else 1
LATENT, BLOCK, FAMILIES = 64, 8000, 9
DIMS = ([128] * 14 + [384] * 14 + [512] * 13 + [640, 1024, 1024, 2048])

os.makedirs(folder, exist_ok=True)
order = np.random.default_rng(0).permutation(len(DIMS))
for i in range(count):
    rng = np.random.default_rng([1, i])
    d = DIMS[order[i % len(DIMS)]] // share
    seen = 8 + 56 * i // count
    family = np.random.default_rng([2, i % FAMILIES]).standard_normal((LATENT, LATENT), dtype=np.float32)
    weight = (family @ rng.standard_normal((LATENT, d), dtype=np.float32))[:seen] / LATENT
    out = np.lib.format.open_memmap(os.path.join(folder, "e%02d.npy" % i), "w+", np.float16, (rows, d))
    for at in range(0, rows, BLOCK):
        size = min(BLOCK, rows - at)
        latent = np.random.default_rng([3, at]).standard_normal((size, LATENT), dtype=np.float32)
        out[at:at + size] = (latent[:, :seen] @ weight +
                             0.3 * rng.standard_normal((size, d), dtype=np.float32))
    del out
