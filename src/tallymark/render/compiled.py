"""Compiled templates, kept beside them as Python keeps compiled modules: compiling takes as long as all else of a page."""

import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from pickle import UnpicklingError

from jinja2 import compiler
from jinja2.bccache import Bucket, BytecodeCache

from tallymark.render import html

FOLDER = "__pycache__"


class Compiled(BytecodeCache):
    """Templates compiled by this Jinja as ``html`` asks for; none where nothing may be kept.

    Jinja checks the text of the template and the version of Python by itself.
    """

    def __init__(self, templates: Path) -> None:
        made = (Path(file).stat() for file in (compiler.__file__, html.__file__))
        under = repr([(file.st_mtime_ns, file.st_size) for file in made])
        self._folder = templates / FOLDER
        self._under = sha256(under.encode()).hexdigest()[:12]

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key[:12]}-{self._under}.jinja"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept, if it is of this template."""
        unusable = OSError, UnpicklingError, EOFError, ValueError, TypeError
        with suppress(*unusable), self._path(bucket).open("rb") as at:
            bucket.load_bytecode(at)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, unless Python keeps nothing or the folder cannot be written to."""
        if sys.dont_write_bytecode:
            return
        path = self._path(bucket)
        part = path.with_suffix(f".{id(bucket):x}")  # another run may write at the same time
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            part.write_bytes(bucket.bytecode_to_string())
            part.replace(path)
