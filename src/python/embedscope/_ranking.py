"""rank() and what it returns."""
from __future__ import annotations

import json
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Collection, Literal, Mapping, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from ._files import write_families, write_scores
from ._library import Array, EmbedscopeError, InvalidError, Study, family_of, in_python
from ._progress import Bar, wants_bar
from ._table import read_csv, read_matrix

__all__ = ["Figure", "Ranking", "rank"]

Pool = Union[Mapping[str, Any], str, "os.PathLike[str]"]


# Documents that --score chooses the score of.
_SCORED = (("rank",), ("correlate",), ("export", "ranking"), ("export", "correlation"))


class Figure:
    """A picture. Jupyter shows it; ``save("ranking.svg")`` writes it."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data, self.kind = data, kind

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture's bytes to a file, in the format that it was drawn in."""
        Path(path).write_bytes(self.data)

    def __repr__(self) -> str:
        return f"<embedscope.Figure: {self.kind}, {len(self.data)} bytes>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.kind == "svg":
            return {"image/svg+xml": self.data.decode()}
        return {"image/png" if self.kind == "png" else "application/pdf": self.data}


class Ranking:
    """The embedders, best first, and what is known of them.

    Everything is that of the command line: ``table`` of ``embedscope rank --csv``, ``matrix`` of
    ``embedscope matrix``, with the same numbers to the last bit.
    """

    def __init__(self, study: Study, words: Sequence[str]) -> None:
        self._study, self._words = study, list(words)
        self._rank: dict[str, Any] = self._json("rank")
        self.table: Any = read_csv(self._text("rank", "--csv"))
        self._matrix: dict[str, Any] | None = None

    # ---- documents ----

    def _text(self, *words: str) -> str:
        return self._document(*words).decode()

    def _document(self, *words: str) -> bytes:
        at = next((len(c) for c in _SCORED if words[:len(c)] == c), 0)
        try:
            return self._study.document(*words[:at], *(self._words if at else []), *words[at:])
        except EmbedscopeError as why:
            raise _spoken(why) from None

    def _json(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._text(*words, "--json"))
        return found

    def document(self, command: str, *words: str) -> dict[str, Any]:
        """The JSON document of ``embedscope COMMAND POOL WORDS --json`` as a dict: command is
        compare, correlate, frontier, matrix, rank, rivals, rows or tree."""
        return self._json(command, *words)

    # ---- the answer ----

    @property
    def best(self) -> str | None:
        """The best of these, or None if no best can be named; others may be as good, see
        best_set."""
        name: str | None = self._rank["bottom_line"]["best"]
        return name

    @property
    def best_set(self) -> list[str]:
        """The candidates for the best with other kinds of embedders as reference; empty if fewer
        than five kinds are compared."""
        return list(self._rank["bottom_line"]["best_set"])

    def summary(self) -> str:
        """The bottom line in words, and how the ranking agrees with downstream scores."""
        sentence: str = self._rank["bottom_line"]["sentence"]
        downstream: dict[str, Any] | None = self._rank["downstream"]
        return sentence if downstream is None else f"{sentence} {downstream['sentence']}"

    @property
    def names(self) -> list[str]:
        """The embedders of ``matrix``, in its order."""
        return [model["name"] for model in self._matrix_document()["models"]]

    def _matrix_document(self) -> dict[str, Any]:
        if self._matrix is None:
            self._matrix = self._json("matrix")
        return self._matrix

    def _numbers(self, key: str) -> npt.NDArray[np.float64]:
        rows = self._matrix_document()[key]
        return np.array([[np.nan if v is None else v for v in row] for row in rows], np.float64)

    @property
    def matrix(self) -> Any:
        """Information sufficiency in nats per dimension of the target: rows are sources, columns
        targets; NaN where a pair failed. A DataFrame, or without pandas an array."""
        return read_matrix(self._numbers("is"), self.names)

    @property
    def errors(self) -> Any:
        """The standard errors of ``matrix``."""
        return read_matrix(self._numbers("se"), self.names)

    @property
    def notes(self) -> list[str]:
        """What was left out and why, which pairs failed, which rows were taken."""
        return [in_python(note) for note in self._study.notes()]

    @property
    def provenance(self) -> dict[str, Any]:
        """Settings, seed, digests, BLAS core, threads, CPU."""
        found: dict[str, Any] = self._rank["provenance"]
        return found

    # ---- pictures and the report ----

    def plot(self, view: str = "ranking", *, models: Sequence[str] | None = None,
             format: Literal["svg", "pdf", "png"] = "svg",  # pylint: disable=redefined-builtin
             **options: object) -> Figure:
        """A picture: ranking, matrix, tree, correlation, frontier or compare (with models). Options
        are those of ``embedscope export``: ``plot("matrix", order="cluster", title="My models")``;
        what was estimated stays as it is, ``show`` and ``hide`` choose embedders of it.
        InvalidError: an option that would take other embedders, rows or settings."""
        words = ["export", view, "--format", format]
        if models is not None:
            words += ["--models", ",".join(models)]
        return Figure(self._document(*words, *_option_words(options)), format)

    @overload
    def to_html(self, path: None = None) -> str: ...

    @overload
    def to_html(self, path: str | os.PathLike[str]) -> Path: ...

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | Path:
        """Write the report, one page with all of it, to path and return the path. Without a path,
        return the page."""
        page = self._text("report")
        if path is None:
            return page
        Path(path).write_text(page, encoding="utf-8")
        return Path(path)

    def __repr__(self) -> str:
        return f"<embedscope.Ranking of {len(self.table)} embedders>\n{self.summary()}"

    def _repr_html_(self) -> str:
        table = getattr(self.table, "_repr_html_", lambda: "")() or ""
        return f"<p>{_escape(self.summary())}</p>{table}"


def _spoken(why: EmbedscopeError, folder: Path | None = None) -> EmbedscopeError:
    """The error in the words of this module; files in folder have the names of their parameters."""
    said = str(why)
    for name in ("scores", "families"):
        said = said.replace(str(folder / f"{name}.csv"), name) if folder else said
    return type(why)(in_python(said), why.code)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _option_words(options: Mapping[str, object]) -> list[str]:
    """clip_to=3 becomes --clip-to=3; True a flag; a list several; None nothing."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        values = value if isinstance(value, (list, tuple)) else [value]
        for one in values:
            if one is True:
                words.append(option)
            elif one is not None and one is not False:
                words.append(f"{option}={one}")
    return words


def _arrays(embeddings: Mapping[str, Any], families: Mapping[str, str],
            binary: Collection[str]) -> list[Array]:
    strangers = (set(families) | set(binary)) - set(embeddings)
    if strangers:
        raise InvalidError(f"{sorted(strangers)[0]}: families and binary name embedders; there are "
                           f"{', '.join(map(str, embeddings))}")
    return [Array(str(name), values, family_of(families, name), name in binary)
            for name, values in embeddings.items()]


def _study(embeddings: Pool, families: Mapping[str, str], scores: Any, binary: Collection[str],
           words: list[str], bar: Bar, folder: Path) -> Study:
    """Estimates; what has no file yet is written to folder, which is read before this returns."""
    file = None
    if isinstance(scores, (str, os.PathLike)):
        file = os.fspath(scores)
    elif scores is not None:
        file = write_scores(folder / "scores.csv", scores)
    if not isinstance(embeddings, (str, os.PathLike)):
        if not embeddings:
            raise InvalidError("no embedders: expected {name: matrix}, or a path")
        return Study(_arrays(embeddings, families, binary), words=words, scores=file, told=bar)
    if binary:
        raise InvalidError("binary: in a pool, pool.json says which embedders are binary")
    if families:
        words = [*words, "--families", write_families(folder / "families.csv", families)]
    return Study(pool=os.path.abspath(embeddings), words=words, scores=file, told=bar)


def rank(embeddings: Pool, *, families: Mapping[str, str] | None = None, scores: Any = None,
         estimator: str | None = None, preset: str | None = None,
         settings: Mapping[str, object] | None = None, rows: int | str | None = None,
         seed: int = 0, threads: int | None = None, binary: Collection[str] = (),
         score: Literal["predictive", "published"] | None = None, progress: bool | None = None,
         callback: Callable[[int, int], object] | None = None, **options: object) -> Ranking:
    """Rank embedders without labels.

    Parameters
    ----------
    embeddings : dict of name to matrix (rows, dimensions), or the path of a pool
        Row i is the same item in all of them. NumPy arrays in C order are not copied and must not
        change before the ranking is gone; what is masked is NaN. A pool keeps its results, a dict
        does not.
    families : dict of name to family
        No embedder is a reference for its own family. For a pool, in place of its families.csv.
    scores : DataFrame (models by tasks), dict of model to {task: score}, or a path
        Downstream scores, to be set beside the ranking.
    estimator, preset, settings, rows, seed, threads
        As of ``embedscope estimate``; ``estimator="linear", preset="shrunk"`` is the ranking alone,
        in seconds. More options of that command: ``drop_rows=True``, ``budget="10m"``.
    binary : names
        Embedders of 0 and 1 that are taken as binary targets.
    score : "predictive" or "published"
        None: the predictive one where its estimator ran, as it does unless another is named.
        ``table``, ``best``, ``summary()``, the documents rank and correlate and the plots ranking
        and correlation follow it; compare, rivals, the other plots and the report do not.
    progress : show a bar; None: on a terminal and in a notebook
    callback : called with the pairs that are done and those there are; it may not ask embedscope
        for anything that it has not read yet

    Ctrl-C stops within a tenth of a second. What is left out is said by a warning.
    """
    words = _option_words({"estimator": estimator, "preset": preset, "rows": rows, "seed": seed,
                           "threads": threads, **options})
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={value}"]
    if score not in (None, "predictive", "published"):
        raise InvalidError(f"score is 'predictive', 'published' or None, not {score!r}")
    bar = Bar(wants_bar(progress), callback)
    with tempfile.TemporaryDirectory(prefix="embedscope-") as folder:
        try:
            study = _study(embeddings, families or {}, scores, binary, words, bar, Path(folder))
        except EmbedscopeError as why:
            raise _spoken(why, Path(folder)) from None
        finally:
            bar.close()
    ranking = Ranking(study, ["--score", score] if score else [])
    for note in ranking.notes:
        warnings.warn(note, stacklevel=2)
    return ranking
