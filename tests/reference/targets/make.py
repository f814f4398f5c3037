"""The published score over chosen targets, by NumPy: writes expected.csv here. Of sample_data/paper-nlp/matrix.csv, the
median over the other targets that were chosen by patterns."""
import csv
import fnmatch
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
CHOSEN = ("gte-*,*t5-xl", "*", "bge-*,*lama*")

with open(HERE + "/../../../sample_data/paper-nlp/matrix.csv") as f:
    rows = list(csv.reader(f))
names = rows[0][1:]
matrix = np.array([[float(v) if v else np.nan for v in r[1:]] for r in rows[1:]])

with open(HERE + "/expected.csv", "w") as out:
    out.write("targets,model,score,of\n")
    for chosen in CHOSEN:
        judges = [any(fnmatch.fnmatchcase(n, g) for g in chosen.split(",")) for n in names]
        for i, name in enumerate(names):
            values = [matrix[i, j] for j in range(len(names)) if judges[j] and j != i and not np.isnan(matrix[i, j])]
            score = f"{np.median(values):.15g}" if values else ""
            out.write(f'"{chosen}",{name},{score},{len(values)}\n')
