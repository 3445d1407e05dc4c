"""A field: one thing that can be asked, whichever way it is asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from tallymark.errors import OptionError, did_you_mean
from tallymark.scale import TRIM_RULES, Scale, quoted

COLUMNS = "Columns (guessed from their names when left out)"
LONG = "Columns of a long table (one row per rating)"
SCORES = "Scores"
STATISTICS = "Statistics and intervals"
VERDICT = "Verdict"
GUARANTEE = "Guarantee"
PRICES = "Work and prices"
_LONGEST = 200
EMPTY = "is empty; give it a value, or leave it out"
"""What is said of a text that is none, such as that of a variable that nobody set."""
Web = Literal["form", "upload"]
"""How a browser may set a field: in a form, or by a file that it sends."""


def _item(value: Any) -> Any:
    """A number of NumPy as Python's own."""
    single = getattr(value, "size", 0) == 1 and hasattr(value, "dtype")
    return value.item() if single else value


def _listed(value: Any) -> Any:
    """Any sequence as a list; one text or number is a list of it."""
    if isinstance(_item(value), str | int | float):
        return [_item(value)]
    several = isinstance(value, Iterable) and not isinstance(value, Mapping)
    return [_item(item) for item in value] if several else value


def _only(value: Any) -> Any:
    """A text; of a list that holds one, that one."""
    given = _listed(value)
    return given[0] if isinstance(given, list) and len(given) == 1 else value


def _parted(value: Any) -> Any:
    """What stands between commas, where several values are one text."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else _listed(value)


def _each_listed(value: Any) -> Any:
    return {k: _listed(v) for k, v in value.items()} if isinstance(value, Mapping) else value


def _named(value: Any) -> Any:
    """Names of columns: whole numbers are names too, as in a frame without names."""
    if isinstance(value, list):
        return [_named(item) for item in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _points(value: Any) -> Any:
    return value if isinstance(value, str | bool) else _listed(value)


def _texts(value: Any) -> Iterator[str]:
    """Every text that a value holds, names among them; lists of values to be kept may hold none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        yield from (text for item in value.values() for text in _texts(item))
    elif isinstance(value, tuple):
        yield from (text for item in value for text in _texts(item))


def _check_paths(value: Any) -> None:
    """Refuse names that no file can have."""
    from tallymark.sources.files import check_path

    for path in value if isinstance(value, list | tuple) else [value]:
        if isinstance(path, str):
            check_path(Path(path))


def _is_unicode(text: str) -> bool:
    """Whether a text can be written; half of a surrogate pair cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _mapped(value: Any) -> Any:
    return {k: _item(v) for k, v in value.items()} if isinstance(value, Mapping) else value


def _by_text(value: Any) -> Any:
    return {str(k): v for k, v in value.items()} if isinstance(value, Mapping) else value


class FieldKind(NamedTuple):
    """What a value must be: as a type that msgspec checks, and in words for a file of options.

    ``python`` are the words for a keyword of Python, where they differ. ``several`` options of the
    command line make one value; ``plain`` brings what Python and TOML offer into the form that is
    checked. No number is below ``least``.
    """

    type: Any
    expected: str
    python: str = ""
    several: bool = False
    plain: Callable[[Any], Any] = _item
    least: int | None = None


_TABLE, _DICT = 'a table such as {engine = "column"}', 'a dict such as {"engine": "column"}'
_LIST, _STRINGS = "text in quotes or a list of them", "a string or a list of strings"
TEXT = FieldKind(str, "text in quotes", "a string")
ONE_TEXT = FieldKind(
    str,
    "text in quotes, or a list that holds one",
    "a string, or a list that holds one",
    plain=_only,
)
TEXTS = FieldKind(tuple[str, ...], _LIST, _STRINGS, several=True, plain=_listed)
JOINED = FieldKind(tuple[str, ...], _LIST, _STRINGS, plain=_parted)
"""Several texts that one option holds, with commas between them."""
PAIRS = FieldKind(dict[str, str], _TABLE, _DICT, several=True, plain=_mapped)
LISTS = FieldKind(
    dict[str, tuple[str, ...]],
    'a table such as {engine = ["column", "column"]}',
    'a dict such as {"engine": ["column", "column"]}',
    several=True,
    plain=_each_listed,
)
KEPT = FieldKind(dict[str, Any], _TABLE, _DICT, several=True)
NUMBERED = FieldKind(
    dict[str, float],
    "a table such as {human = 0.85}",
    'a dict such as {"human": 0.85}',
    several=True,
    plain=_mapped,
)
SWITCH = FieldKind(bool, "true or false", "True or False")
NUMBER = FieldKind(float, "a number")
WHOLE = FieldKind(int, "a whole number")
NATURAL = FieldKind(int, "a whole number of 0 or more", least=0)
NUMBERS = FieldKind(tuple[float, ...], "a list of numbers", several=True, plain=_listed)
JOINED_NUMBERS = FieldKind(tuple[float, ...], "a list of numbers", plain=_listed)
SCALE = FieldKind(
    str | tuple[str | float | bool, ...], 'text such as "1:6" or a list of points', plain=_points
)
TRIM = FieldKind(str | float, "half-step, range, none or a number of steps")
PROMPTS = FieldKind(
    dict[str, Any],
    'tables such as [prompts."essay 1"]',
    'a dict such as {"essay 1": {"scale": "1:6"}}',
    plain=_by_text,
)
TABLE = FieldKind(object, "a file or a frame")
TABLES = FieldKind(object, "files or frames", several=True)
NAME_OR_FILE = FieldKind(object, "a name or a file")
TYPED = {TABLE: TEXT, TABLES: TEXTS, NAME_OR_FILE: TEXT}
"""What a file of options holds where Python takes an object."""


class Field(Struct, frozen=True):
    """One thing that can be asked: ``name`` is its Python keyword, ``flag`` its option.

    A field without a flag has no option of its own. ``last`` divides NAME=COL at the last sign,
    for a name may hold the sign too. ``prompts`` tells that it may differ from prompt to prompt;
    ``required`` that a command cannot do without it. ``web`` says how a browser may set it; None,
    the default, that it may not. ``also`` is another flag for it. Name and commands are filled in from the keywords of the commands.
    """

    kind: FieldKind
    flag: str
    metavar: str | None
    help: str
    section: str
    default: Any = None
    name: str = ""
    commands: tuple[str, ...] = ()
    web: Web | None = None
    shown: bool = True
    last: bool = False
    prompts: bool = False
    required: bool = False
    choices: tuple[str, ...] = ()
    also: str = ""

    @property
    def key(self) -> str:
        """Its name in a TOML file: that of the option."""
        return self.flag.removeprefix("--") or self.name

    @property
    def recorded(self) -> str:
        """Its name in the JSON of an evaluation."""
        return self.name.rstrip("_")

    @property
    def empty(self) -> Any:
        """Its value where nothing was said."""
        if self.default is not None:
            return self.default
        if self.kind is SWITCH:
            return False
        return () if self.kind in (TEXTS, JOINED, NUMBERS, JOINED_NUMBERS) else None

    def checked(self, value: Any, where: str = "", *, key: str = "") -> Any:
        """Return a value as the program has it, or say what was expected and what came."""
        import msgspec

        if self.kind in TYPED or isinstance(value, Scale):
            _check_paths(value)
            return value
        plain = self.kind.plain(value)
        if self.section in (COLUMNS, LONG):
            plain = _named(plain)
        try:
            checked = msgspec.convert(plain, self.kind.type)
        except (msgspec.ValidationError, TypeError, AttributeError, UnicodeError):
            raise OptionError(self._refused(value, where, key or self.name)) from None
        if self.kind.least is not None and checked < self.kind.least:
            raise OptionError(self._refused(value, where, key or self.name))
        self._check_texts(checked, value, f"{key or self.name}{where}")
        for chosen in (checked,) if isinstance(checked, str) else checked if self.choices else ():
            if self.choices and chosen not in self.choices:
                known = f"one of {', '.join(self.choices)}, got {chosen!r}."
                hint = did_you_mean(chosen, self.choices)
                raise OptionError(f"{key or self.name}{where} must be {known}{hint}")
        return checked

    def _check_texts(self, checked: Any, value: Any, name: str) -> None:
        if self.kind is not PROMPTS and not all(map(str.strip, _texts(checked))):
            raise OptionError(f"{name} {EMPTY}, got {value!r}")
        if not all(map(_is_unicode, _texts(checked))):
            raise OptionError(f"{name} must be Unicode text, got {value!r}")

    def checked_in_prompt(self, value: Any, where: str, key: str) -> Any:
        """Return a value that one prompt has of its own; a rule of trimming is known by name."""
        setting = self.checked(value, where, key=key)
        if self.kind is TRIM and isinstance(setting, str) and setting not in TRIM_RULES:
            raise OptionError(self._refused(value, where, key))
        return setting

    def _refused(self, value: Any, where: str, key: str) -> str:
        """What was expected and what came: in a file of options, else from Python."""
        expected = self.kind.expected if where else self.kind.python or self.kind.expected
        given = repr(value)
        if hasattr(value, "dtype") and getattr(value, "size", 1) != 1:
            given = f"{value.size} values ({type(value).__name__})"
            expected += ": the name of a column, not its values" * (self.section == COLUMNS)
        given = given if len(given) <= _LONGEST else f"{given[:_LONGEST]} ..."
        return f"{key}{where} must be {expected}, got {given}"

    def texts(self, value: Any) -> list[str]:
        """What stands behind the flag, once for each time it is given."""
        if isinstance(value, Mapping):
            return [f"{name}={_joined(item)}" for name, item in value.items()]
        if isinstance(value, Sequence) and not isinstance(value, str):
            texts = [_text(item) for item in value]
            return texts if self.kind.several else [",".join(map(quoted, texts))]
        return [_text(value)]


def _joined(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return _text(value)


def _text(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
