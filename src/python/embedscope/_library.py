"""libembedscope0 by ctypes: structs of its study.h, and a study that is opened, asked and closed."""
from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import threading
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "EmbedscopeError", "Progress", "Study", "as_matrix", "family_of", "in_python",
           "version"]

MINOR = 2  # of the library: 0.2 keeps its functions and structs


class EmbedscopeError(Exception):
    """What the library says went wrong; ``code`` is the number of its ``es_status``."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class InvalidError(EmbedscopeError, ValueError):
    """An argument or a setting that the library refuses."""


class NotFoundError(EmbedscopeError, FileNotFoundError):
    """A folder, a file or an embedder that is not there."""


OK, NO_MEMORY, INVALID, NOT_FOUND, CANCELED = 0, 1, 2, 6, 11


class _Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", c_char * 1024)]


class _ArrayView(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("family", c_char_p), ("data", c_void_p), ("rows", c_size_t),
                ("dim", c_size_t), ("element", c_int), ("kind", c_int)]


class Progress(ctypes.Structure):
    """How far it is: pairs of all estimators (``total``, ``done``, ``failed``), embedders read
    (``checked``, ``to_check``), seconds (``elapsed``, ``eta``; ``waits`` for a store that another
    process holds), estimates of the plan that are counted (``entries``), the first of these with
    pairs left (``pass_``) and its pairs (``pass_total``, ``pass_ended``)."""

    _fields_ = [("total", c_size_t), ("done", c_size_t), ("failed", c_size_t),
                ("running", c_size_t), ("queued", c_size_t), ("elsewhere", c_size_t),
                ("nulls", c_size_t), ("reused", c_size_t), ("checked", c_size_t),
                ("to_check", c_size_t), ("elapsed", c_double), ("rate", c_double),
                ("eta", c_double), ("waits", c_double), ("entries", c_size_t),
                ("pass_", c_size_t), ("pass_total", c_size_t), ("pass_ended", c_size_t)]
    total: int
    done: int
    failed: int
    running: int
    queued: int
    elsewhere: int
    nulls: int
    reused: int
    checked: int
    to_check: int
    elapsed: float
    rate: float
    eta: float
    waits: float
    entries: int
    pass_: int
    pass_total: int
    pass_ended: int


_Told = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Progress))


class _Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("pool", c_char_p), ("arrays", POINTER(_ArrayView)),
                ("n_arrays", c_size_t), ("words", POINTER(c_char_p)), ("n_words", c_size_t),
                ("scores", c_char_p), ("told", _Told), ("context", c_void_p)]


_STRUCTS = {b"es_error": _Error, b"es_array_view": _ArrayView, b"es_progress": Progress,
            b"es_study_options": _Options}


def _candidates() -> Iterable[str]:
    """$EMBEDSCOPE_LIBRARY alone; else beside an installed tree of which this is a part (it may have
    been moved), then what the system finds."""
    named = os.environ.get("EMBEDSCOPE_LIBRARY")
    if named:
        return [named]
    prefix = Path(__file__).resolve().parents[4]  # PREFIX/lib/python3/dist-packages/embedscope
    found = sorted(prefix.glob("lib/**/libembedscope.so.0")) if prefix != Path("/usr") else []
    return [*map(str, found), "libembedscope.so.0"]


def _load() -> ctypes.CDLL:
    library, failure = None, ""
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as why:
            failure = str(why)
    if library is None:
        raise ImportError(f"{failure}; install the package libembedscope0, or name the library in "
                          "EMBEDSCOPE_LIBRARY")
    library.es_version.restype = c_char_p
    number = library.es_version_number()
    if number // 100 != MINOR:
        raise ImportError(f"libembedscope is {library.es_version().decode()}, this module is for "
                          f"0.{MINOR}: install both from one version")
    library.es_struct_size.restype = c_size_t
    for key, struct in _STRUCTS.items():
        size = library.es_struct_size(c_char_p(key))
        if size != ctypes.sizeof(struct):
            raise ImportError(f"struct {key.decode()} has {size} bytes in libembedscope and "
                              f"{ctypes.sizeof(struct)} here: install both from one version")
    library.es_study_open.argtypes = [POINTER(_Options), POINTER(c_void_p), POINTER(_Error)]
    library.es_study_close.argtypes = [c_void_p]
    library.es_study_close.restype = None
    library.es_study_document.argtypes = [c_void_p, POINTER(c_char_p), c_size_t,
                                          POINTER(c_void_p), POINTER(c_size_t), POINTER(_Error)]
    library.es_study_notes.argtypes = [c_void_p]
    library.es_study_notes.restype = c_char_p
    return library


_library = _load()


class _Work:
    """One study is at work at a time in a process; other threads wait for it. Who holds it may come
    back while it is at work: in a callback, or in the garbage collector."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._busy = False
        self._left: list[tuple[c_void_p, list[Array]]] = []  # to be closed afterwards

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._busy:
            self._lock.release()
            raise EmbedscopeError("a callback cannot rank, nor ask a ranking for what it has not "
                                  "read yet: embedscope is at work; ask when rank() has returned")
        self._busy = True

    def __exit__(self, *_raised: object) -> None:
        self._busy = False
        self._lock.release()
        self._close_left()

    def _close_left(self) -> None:
        while self._left and self._lock.acquire(blocking=False):
            try:
                if self._busy:
                    return
                study, _arrays = self._left.pop()
                _library.es_study_close(study)
            except IndexError:  # the garbage collector came in between
                return
            finally:
                self._lock.release()

    def close(self, study: c_void_p, arrays: list[Array]) -> None:
        """Closes a study, now or when the one at work has ended, without waiting for that; the
        library borrows the arrays until then."""
        self._left.append((study, arrays))
        self._close_left()


_at_work = _Work()


def version() -> str:
    """The version of libembedscope."""
    text: bytes = _library.es_version()
    return text.decode()


def _encoded(text: str) -> bytes:
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError as why:
        raise InvalidError(f"{text!r} cannot be written as UTF-8", INVALID) from why
    if b"\0" in data:
        raise InvalidError(f"{text!r} holds a NUL", INVALID)
    return data


def _words(words: Sequence[str]) -> "ctypes.Array[c_char_p]":
    return (c_char_p * len(words))(*[_encoded(word) for word in words])


# Flags of the command line, which are True in Python.
_FLAGS = ("drop_rows", "include_self", "leave_family_out", "refresh", "strict", "with_derived")
_COMMAND = re.compile(r"(`[^`]*`|embedscope [a-z]+ [^;]*)")  # to be typed into a shell
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?:[ =]([A-Z][\w.,=-]*|\d[\w.]*|\w+\*))?")


def _parameter(option: "re.Match[str]") -> str:
    name, value = option[1].replace("-", "_"), option[2]
    if name == "set":
        key, _, of = (value or "KEY=VALUE").partition("=")
        return f'settings={{"{key}": {of}}}' if value else "settings"
    if name in _FLAGS:
        return f"{name}=True"
    if value is None:
        return name
    if name == "models" and "," in value:
        return f"models={value.split(',')!r}"
    return f"{name}={value}" if value.isdigit() else f"{name}={value!r}"


def in_python(text: str) -> str:
    """A message of the library, with the parameters of Python in place of the options of the command
    line. Commands that it names stay as they are."""
    text = re.sub(r"^unknown option (--\S+); see --help$", r"no parameter is called \1", text)
    text = re.sub(r"^unknown option ", "no parameter is called ", text)
    text = re.sub(r"^(--\S+) is not an option of .*", r"no parameter is called \1", text)
    text = re.sub(r"(?<!\S)-o\b(?= are | is |$)", "--output", text)
    parts = _COMMAND.split(text)
    parts[::2] = [_OPTION.sub(_parameter, part) for part in parts[::2]]
    return "".join(parts)


def _failure(error: _Error, status: int) -> EmbedscopeError:
    message = error.message.decode("utf-8", "replace")
    kind = {INVALID: InvalidError, NOT_FOUND: NotFoundError}.get(status, EmbedscopeError)
    if status == NO_MEMORY:
        raise MemoryError(message)
    return kind(message, status)


def as_matrix(name: str, values: Any) -> npt.NDArray[Any]:
    """Numbers, rows by dimensions, as the library borrows and a pool holds them: C-ordered in the
    machine's byte order, without a copy where they are that already. What is masked is NaN, what
    is longer than float64 is converted to that."""
    given = np.asarray(values)
    mask: Any = values.mask if isinstance(values, np.ma.MaskedArray) else False
    if given.dtype.kind in "fiub" and np.any(mask):
        given = np.where(mask, np.nan, given)
    if given.ndim != 2 or given.dtype.kind not in "fiub":
        raise InvalidError(f"{name}: expected a matrix of numbers, rows by dimensions; it has "
                           f"shape {given.shape} and type {given.dtype}", INVALID)
    kept = np.dtype(np.float64) if given.dtype.itemsize > 8 else given.dtype.newbyteorder("=")
    return np.ascontiguousarray(given, dtype=kept)


def family_of(families: Mapping[Any, Any], name: Any) -> str | None:
    """None where there is none, or a missing one as pandas has it."""
    family = families.get(name)
    if isinstance(family, str):
        return family
    return None if str(family) in ("None", "nan", "<NA>") else str(family)


_ELEMENTS = ("float32", "float64", "float16", "bool", "int8", "int16", "int32", "int64", "uint8",
             "uint16", "uint32", "uint64")  # of es_element


class Array:
    """A matrix as the library borrows it."""

    def __init__(self, name: str, values: object, family: str | None, binary: bool) -> None:
        self.values = as_matrix(name, values)
        self.name, self.family, self.binary = name, family, binary

    def view(self) -> _ArrayView:
        family = _encoded(self.family) if self.family is not None else None
        return _ArrayView(_encoded(self.name), family, self.values.ctypes.data,
                          self.values.shape[0], self.values.shape[1],
                          _ELEMENTS.index(self.values.dtype.name), int(self.binary))


class _Interrupt:
    """Ctrl-C while the library is at work: noted here, so that it stops, and then raised as it would
    have been. A thread beside the main one has no signals, and a program that does not want
    KeyboardInterrupt keeps its own handler."""

    def __init__(self) -> None:
        self.pressed = False
        self._before: Any = None

    def _press(self, _number: int, _frame: object) -> None:
        self.pressed = True

    def __enter__(self) -> "_Interrupt":
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if before is signal.default_int_handler:
                self._before = before
                signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_raised: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class Study:
    """An estimated pool: ``document("rank", "--csv")`` is what ``embedscope rank POOL --csv``
    prints."""

    def __init__(self, arrays: Sequence[Array] = (), pool: str | None = None,
                 words: Sequence[str] = (), scores: str | None = None,
                 told: Callable[[Progress], None] | None = None) -> None:
        self._study = c_void_p()
        self._arrays = list(arrays)  # borrowed by the library
        raised: list[BaseException] = []
        interrupt = _Interrupt()

        def tell(_context: object, progress: "ctypes._Pointer[Progress]") -> int:
            try:
                if told is not None and not interrupt.pressed:
                    told(progress.contents)
            except BaseException as why:  # pylint: disable=broad-except
                raised.append(why)
            return int(bool(raised) or interrupt.pressed)

        views = (_ArrayView * len(self._arrays))(*[array.view() for array in self._arrays])
        texts = _words(words)
        callback = _Told(tell)
        options = _Options(ctypes.sizeof(_Options), os.fsencode(pool) if pool is not None else None,
                           views, len(views), texts, len(texts),
                           os.fsencode(scores) if scores is not None else None, callback, None)
        error = _Error()
        with _at_work, interrupt:
            status = _library.es_study_open(ctypes.byref(options), ctypes.byref(self._study),
                                            ctypes.byref(error))
        if raised or interrupt.pressed:
            self.close()
            raise raised[0] if raised else KeyboardInterrupt()
        if status != OK:
            raise _failure(error, status)

    def document(self, *words: str) -> bytes:
        """The bytes of a document, by the words of the command line without the pool."""
        if not self._study:
            raise EmbedscopeError("this study is closed")
        text, length, error = c_void_p(), c_size_t(), _Error()
        texts = _words(words)
        with _at_work:
            status = _library.es_study_document(
                self._study, texts, len(texts), ctypes.byref(text), ctypes.byref(length),
                ctypes.byref(error))
            if status == OK:
                return ctypes.string_at(text, length.value)
        raise _failure(error, status)

    def notes(self) -> list[str]:
        """What the command line would say beside its documents, such as what was left out."""
        text: bytes = _library.es_study_notes(self._study) or b""
        return text.decode("utf-8", "replace").splitlines()

    def close(self) -> None:
        """Gives back the library's memory, and the matrices."""
        study, self._study = self._study, c_void_p()
        arrays, self._arrays = self._arrays, []
        if study and not sys.is_finalizing():
            _at_work.close(study, arrays)

    def __del__(self) -> None:
        if getattr(self, "_study", None):
            self.close()
