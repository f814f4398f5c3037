"""Progress as tqdm shows it where that is installed, else as one redrawn line."""
from __future__ import annotations

import importlib
import sys
from typing import Any, Callable

from ._library import Progress

__all__ = ["Bar", "wants_bar"]


def wants_bar(asked: bool | None) -> bool:
    """Not said: on a terminal and in a notebook."""
    if asked is not None:
        return asked
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


class _Line:
    """What is used of tqdm, without it."""

    def __init__(self, total: int, desc: str) -> None:
        self.total, self.n, self.desc = total, 0, desc

    def refresh(self) -> None:
        share = 100 * self.n // self.total if self.total else 0
        print(f"\r{self.desc}: {self.n}/{self.total}, {share} %", end="\x1b[K", file=sys.stderr,
              flush=True)

    def close(self) -> None:
        print(file=sys.stderr)


def _new_bar(total: int, desc: str) -> Any:
    try:
        bar = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return _Line(total, desc)
    return bar(total=total, desc=desc, unit="pair", leave=False)


class Bar:
    """Called fifty times a second; draws when something has changed."""

    def __init__(self, shown: bool, callback: Callable[[int, int], object] | None) -> None:
        self._shown, self._callback = shown, callback
        self._bar: Any = None
        self._last = (-1, -1)

    def __call__(self, progress: Progress) -> None:
        now = (progress.done + progress.failed, progress.total)
        if now == self._last or now[1] == 0:
            return
        if self._shown:
            if self._bar is None or self._bar.total != now[1]:  # a larger sample of rows
                self.close()
                self._bar = _new_bar(now[1], "embedscope")
            self._bar.n = now[0]
            self._bar.refresh()
        self._last = now
        if self._callback is not None:
            self._callback(*now)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
