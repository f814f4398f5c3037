"""Pools as folders: writing one, scores as a file, and opening the explorer on one."""
from __future__ import annotations

import csv
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from ._library import EmbedscopeError, InvalidError, NotFoundError, as_matrix, family_of

__all__ = ["explore", "save_pool", "write_scores"]


def _rows_of(scores: Any) -> dict[str, dict[str, Any]]:
    """{model: {task: score}} of a DataFrame, of that itself, or of {model: score}."""
    if hasattr(scores, "to_dict") and hasattr(scores, "index"):
        if hasattr(scores, "to_frame"):  # a Series
            scores = scores.to_frame(scores.name or "score")
        named = scores.set_index("model") if "model" in scores.columns else scores
        return {str(m): dict(zip(map(str, named.columns), row))
                for m, row in zip(named.index, named.itertuples(index=False, name=None))}
    if not isinstance(scores, Mapping):
        raise InvalidError("scores: expected a DataFrame, {model: {task: score}} or a path")
    return {str(m): {str(t): s for t, s in v.items()} if isinstance(v, Mapping) else {"score": v}
            for m, v in scores.items()}


def write_scores(path: Path, scores: Any) -> str:
    """Writes scores.csv as a pool has it; missing scores are empty cells."""
    rows = _rows_of(scores)
    tasks = list(dict.fromkeys(task for row in rows.values() for task in row))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", *tasks])
        for model, row in rows.items():
            values = [row.get(task) for task in tasks]
            writer.writerow([model, *["" if v is None or math.isnan(float(v)) else repr(float(v))
                                      for v in values]])
    return os.fspath(path)


def _file_of(folder: Path, name: str) -> Path:
    parts = name.split("/")
    if not name or len(parts) > 3 or any(p in ("", ".", "..") or p.startswith(".") for p in parts) \
            or any(ord(c) < 32 or 0xd800 <= ord(c) < 0xe000 for c in name):
        raise InvalidError(f"{name!r}: the name of an embedder is that of its file: up to two "
                           "folders and a name, without dots before them")
    return folder.joinpath(*parts[:-1], parts[-1] + ".npy")


def _write_rows(path: Path, texts: Sequence[object], ids: Sequence[object] | None) -> None:
    names: Iterable[object] = range(len(texts)) if ids is None else ids
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "text"])
        writer.writerows(zip(names, texts))


# What embedscope finds in a folder by its name, what lies beside it, and what may be either.
_MEMBERS = (".npy", ".safetensors", ".npz", ".vec", ".h5", ".hdf5", ".h5ad")
_BESIDE = ("rows.csv", "scores.csv", "tasks.csv", "labels.csv", "pairs.csv", "pairs_graded.csv",
           "qrels.csv", "models.csv", "groups.csv", "background.csv", "categories.csv")
_EITHER = (".csv", ".tsv", ".txt", ".bin", ".jsonl", ".ndjson")


def _members(folder: Path) -> list[str]:
    """The embedders of a folder without a list of them."""
    found = []
    for file in sorted(folder.rglob("*")):
        place = file.relative_to(folder)
        if len(place.parts) > 4 or any(part.startswith(".") for part in place.parts) \
                or not file.is_file():
            continue
        name = place.name.lower()
        if name.endswith(_MEMBERS) and not name.endswith(".queries.npy"):
            found.append(place.as_posix())
        elif name.endswith(_EITHER) and name not in _BESIDE and \
                not name.endswith((".ids.csv", ".ids.txt")):
            raise InvalidError(f"{file} may be an embedder or not: name the embedders in pool.json "
                               "before families are added")
    return found


def _read_list(folder: Path) -> dict[str, Any]:
    """pool.json, or nothing where it is not there."""
    file = folder / "pool.json"
    if not file.exists():
        return {}
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as why:
        raise InvalidError(f"{file}: {why}") from why
    models = about.get("models", []) if isinstance(about, dict) else None
    if not isinstance(models, list) or not all(isinstance(model, dict) for model in models):
        raise InvalidError(f"{file}: expected an object with a list of models")
    return dict(about)


def _listed(models: list[dict[str, Any]], name: str, file: str) -> dict[str, Any] | None:
    """What pool.json has under that file, else under that name."""
    for key, value in (("file", file), ("name", name)):
        for model in models:
            if model.get(key) == value:
                return model
    return None


def _add_to_list(models: list[dict[str, Any]], name: str, file: str, family: str | None) -> None:
    """Lists it once; of one that is listed already the rest is kept."""
    model = _listed(models, name, file)
    if model is None:
        model = {"name": name}
        models.append(model)
    model["file"] = file
    model.pop("dim", None)  # of what stood there before
    if family is not None:
        model["family"] = family


def save_pool(path: str | os.PathLike[str], embeddings: Mapping[str, Any], *,
              texts: Sequence[object] | None = None, ids: Sequence[object] | None = None,
              families: Mapping[str, str] | None = None, scores: Any = None,
              overwrite: bool = False) -> Path:
    """Write matrices as a pool: NAME.npy each, rows.csv of texts, scores.csv, and the families in
    pool.json. A folder that is there is added to, and so is its pool.json; files that are there are
    kept unless overwrite says otherwise. What is masked is written as NaN. Returns the path."""
    folder = Path(path)
    arrays = {str(name): as_matrix(str(name), values) for name, values in embeddings.items()}
    rows = {array.shape[0] for array in arrays.values()}
    for what, given in (("texts", texts), ("ids", ids)):
        if given is not None and rows and rows != {len(given)}:
            raise InvalidError(f"{what}: {len(given)} of them, the matrices have "
                               f"{', '.join(map(str, sorted(rows)))} rows")
    if ids is not None and texts is None:
        raise InvalidError("ids go with texts")
    files = {name: _file_of(folder, name) for name in arrays}
    also = [folder / "rows.csv"] * (texts is not None) + \
        [folder / "scores.csv"] * (scores is not None)
    about = _read_list(folder)
    listed = "models" in about
    if families and not listed:
        about["models"] = [{"file": file} for file in _members(folder)]
    there = [file for file in [*files.values(), *also] if file.exists()]
    for name, file in files.items():
        model = _listed(about.get("models", []), name, file.relative_to(folder).as_posix())
        if model is not None:
            there.append(folder / str(model.get("file", model.get("name"))))
    if there and not overwrite:
        raise FileExistsError(f"{there[0]} is there already; overwrite=True replaces it")
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, arrays[name])
    if texts is not None:
        _write_rows(folder / "rows.csv", texts, ids)
    if scores is not None:
        write_scores(folder / "scores.csv", scores)
    if families or listed:
        for name, file in files.items():
            _add_to_list(about["models"], name, file.relative_to(folder).as_posix(),
                         family_of(families or {}, name))
        (folder / "pool.json").write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n",
                                          encoding="utf-8")
    return folder


def explore(path: str | os.PathLike[str], *words: str) -> None:
    """Open the explorer on a pool and wait until it is left; words are options of
    ``embedscope``."""
    program = os.environ.get("EMBEDSCOPE_PROGRAM") or shutil.which("embedscope")
    line = f"embedscope {os.fspath(path)}"
    if program is None:
        raise NotFoundError("the program embedscope is not on the PATH: install the package "
                            "embedscope")
    if not os.path.exists(path):
        raise NotFoundError(f"{os.fspath(path)}: no such folder")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise EmbedscopeError(f"the explorer needs a terminal; run there: {line}")
    subprocess.run([program, os.path.abspath(path), *words], check=False)
