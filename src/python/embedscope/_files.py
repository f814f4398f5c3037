"""Pools as folders: writing one, scores as a file, and opening the explorer on one."""
from __future__ import annotations

import csv
import io
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from ._library import INVALID, EmbedscopeError, InvalidError, NotFoundError, as_matrix, family_of

__all__ = ["explore", "save_pool", "write_families", "write_scores"]


def _unlike(what: str, names: Iterable[Any]) -> list[str]:
    """As texts; InvalidError where two are the same."""
    texts = [str(name) for name in names]
    for text, times in Counter(texts).items():
        if times > 1:
            raise InvalidError(f"{what}: {times} are called {text!r}", INVALID)
    return texts


def _rows_of(scores: Any) -> dict[str, dict[str, Any]]:
    """{model: {task: score}} of a DataFrame, of that itself, or of {model: score}."""
    if hasattr(scores, "to_dict") and hasattr(scores, "index"):
        if hasattr(scores, "to_frame"):  # a Series
            scores = scores.to_frame(scores.name or "score")
        _unlike("the columns of scores", scores.columns)
        named = scores.set_index("model") if "model" in scores.columns else scores
        tasks = list(map(str, named.columns))
        models = _unlike("the models of scores", named.index)
        return {m: dict(zip(tasks, row))
                for m, row in zip(models, named.itertuples(index=False, name=None))}
    if not isinstance(scores, Mapping):
        raise InvalidError("scores: expected a DataFrame, {model: {task: score}} or a path", INVALID)
    rows: dict[str, dict[str, Any]] = {}
    for model, (given, of) in zip(_unlike("the models of scores", scores), scores.items()):
        if not isinstance(of, Mapping):
            of = {"score": of}
        rows[model] = dict(zip(_unlike(f"the tasks of {given!r} in scores", of), of.values()))
    return rows


def _score(model: str, task: str, value: Any) -> str:
    """As scores.csv has it: empty where there is none, as None, NaN and pandas' NA are."""
    if value is None or str(value) == "<NA>":
        return ""
    try:
        number = float(value)
    except (TypeError, ValueError) as why:
        raise InvalidError(f"scores: of {model!r} on {task!r}: {value!r} is no number",
                           INVALID) from why
    if abs(number) > _MOST:
        raise InvalidError(f"scores: of {model!r} on {task!r}: {number!r}: they are up to {_MOST!r}",
                           INVALID)
    return "" if math.isnan(number) else repr(number)


def _as_csv(what: str, rows: Iterable[Iterable[object]]) -> bytes:
    """A table for a file; InvalidError for texts that no file can have."""
    lines = []
    for i, row in enumerate(rows):
        line = io.StringIO(newline="")
        csv.writer(line, lineterminator="\n").writerow(row)
        try:
            lines.append(line.getvalue().encode("utf-8"))
        except UnicodeEncodeError as why:
            where = f", row {i - 1}" if i > 0 else ""
            raise InvalidError(f"{what}{where}: {line.getvalue()[:80]!r} cannot be written as UTF-8",
                               INVALID) from why
    return b"".join(lines)


def _scores_csv(scores: Any) -> bytes:
    """scores.csv as a pool has it."""
    rows = _rows_of(scores)
    tasks = list(dict.fromkeys(task for row in rows.values() for task in row))
    return _as_csv("scores", [["model", *tasks], *(
        [model, *(_score(model, task, row.get(task)) for task in tasks)]
        for model, row in rows.items())])


def write_scores(path: Path, scores: Any) -> str:
    """Writes scores.csv as a pool has it; missing scores are empty cells."""
    path.write_bytes(_scores_csv(scores))
    return os.fspath(path)


def write_families(path: Path, families: Mapping[Any, Any]) -> str:
    """Writes families.csv as a pool has it; embedders without a family are left out."""
    named = ((name, family_of(families, name)) for name in families)
    path.write_bytes(_as_csv("families", [["model", "family"], *(
        [name, family] for name, family in named if family is not None)]))
    return os.fspath(path)


_MOST = 1e30  # a score of the command line
_QUERIES = ".queries"  # ends the name of a file beside an embedder


def _file_of(folder: Path, name: str) -> Path:
    parts = name.split("/")
    if not name or len(parts) > 3 or any(p in ("", ".", "..") or p.startswith(".") for p in parts) \
            or any(ord(c) < 32 or 0xd800 <= ord(c) < 0xe000 for c in name):
        raise InvalidError(f"{name!r}: the name of an embedder is that of its file: up to two "
                           "folders and a name, without dots before them", INVALID)
    if name.endswith(_QUERIES):
        raise InvalidError(f"{name!r}: {parts[-1]}.npy holds vectors of queries and is no embedder: "
                           "call it otherwise, or save queries by numpy.save", INVALID)
    return folder.joinpath(*parts[:-1], parts[-1] + ".npy")


def _rows_csv(texts: Sequence[object], ids: Sequence[object] | None) -> bytes:
    names: Iterable[object] = range(len(texts)) if ids is None else ids
    return _as_csv("texts", [("id", "text"), *zip(names, texts)])


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


def _as_json(about: dict[str, Any]) -> bytes:
    text = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as why:
        raise InvalidError(f"families: {why.object[why.start]!r} cannot be written as UTF-8",
                           INVALID) from why


def save_pool(path: str | os.PathLike[str], embeddings: Mapping[str, Any], *,
              texts: Sequence[object] | None = None, ids: Sequence[object] | None = None,
              families: Mapping[str, str] | None = None, scores: Any = None,
              overwrite: bool = False) -> Path:
    """Write matrices as a pool: NAME.npy each, rows.csv of texts, scores.csv, and the families in
    pool.json. A folder that is there is added to, and so is its pool.json; files that are there are
    kept unless overwrite says otherwise. What is masked is written as NaN. Returns the path."""
    folder = Path(path)
    names = _unlike("the names of embedders", embeddings)
    keys = dict(zip(names, embeddings))
    arrays = {name: as_matrix(name, values) for name, values in zip(names, embeddings.values())}
    rows = {array.shape[0] for array in arrays.values()}
    for what, given in (("texts", texts), ("ids", ids)):
        if given is not None and rows and rows != {len(given)}:
            raise InvalidError(f"{what}: {len(given)} of them, the matrices have "
                               f"{', '.join(map(str, sorted(rows)))} rows")
    if ids is not None and texts is None:
        raise InvalidError("ids go with texts")
    files = {name: _file_of(folder, name) for name in arrays}
    also: dict[Path, bytes] = {}  # all that can be refused is made before anything is written
    if texts is not None:
        also[folder / "rows.csv"] = _rows_csv(texts, ids)
    if scores is not None:
        also[folder / "scores.csv"] = _scores_csv(scores)
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
    if families or listed:
        for name, file in files.items():
            _add_to_list(about["models"], name, file.relative_to(folder).as_posix(),
                         family_of(families or {}, keys[name]))
        also[folder / "pool.json"] = _as_json(about)
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, arrays[name])
    for file, contents in also.items():
        file.write_bytes(contents)
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
