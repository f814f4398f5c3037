"""Tables of the library's CSV: a pandas DataFrame where pandas is installed, else a Table."""
from __future__ import annotations

import csv
import html
import importlib
import io
from typing import Any, Iterator

__all__ = ["Table", "read_csv", "read_matrix"]


def _pandas() -> Any:
    try:
        return importlib.import_module("pandas")
    except ImportError:
        return None


_WORDS = {"": None, "true": True, "false": False}


def _value(text: str) -> Any:
    """Numbers as numbers, flags as such, empty cells as None, the rest as it is."""
    if text in _WORDS:
        return _WORDS[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


class Table:
    """Rows of values under named columns, for where there is no pandas: ``table["score"]`` is a
    column, ``table[0]`` a row, ``for row in table`` its rows as dicts."""

    def __init__(self, columns: list[str], rows: list[list[Any]]) -> None:
        self.columns, self._rows = columns, rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: str | int) -> Any:
        if isinstance(key, str):
            at = self.columns.index(key)
            return [row[at] for row in self._rows]
        return dict(zip(self.columns, self._rows[key]))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row)) for row in self._rows)

    def __repr__(self) -> str:
        cells = [self.columns] + [["" if v is None else str(v) for v in r] for r in self._rows]
        width = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, width)).rstrip()
                         for row in cells)

    def _repr_html_(self) -> str:
        def line(tag: str, values: list[Any]) -> str:
            shown = ["" if v is None else html.escape(str(v)) for v in values]
            return "<tr>" + "".join(f"<{tag}>{v}</{tag}>" for v in shown) + "</tr>"
        return ("<table><thead>" + line("th", self.columns) + "</thead><tbody>" +
                "".join(line("td", row) for row in self._rows) + "</tbody></table>")


def read_csv(text: str, texts: frozenset[str] = frozenset({"model"})) -> Any:
    """A document as a table, with every double as it was written. texts: columns that are names,
    even where they look like numbers."""
    pandas = _pandas()
    if pandas is not None:
        return pandas.read_csv(io.StringIO(text), float_precision="round_trip",
                               dtype={name: str for name in texts},
                               keep_default_na=False, na_values=[""])
    rows = list(csv.reader(io.StringIO(text)))
    named = [name in texts for name in rows[0]]
    return Table(rows[0], [[cell if is_text else _value(cell)
                            for cell, is_text in zip(row, named)] for row in rows[1:]])


def read_matrix(values: Any, names: list[str]) -> Any:
    """Sources in rows, targets in columns; with pandas labelled by their names."""
    pandas = _pandas()
    if pandas is None:
        return values
    return pandas.DataFrame(values, index=pandas.Index(names, name="source"),
                            columns=pandas.Index(names, name="target"))
