"""Keys: how a number is addressed, by its name and parameters."""

from typing import Any, Self

SPELLED_OUT = {("krippendorff_alpha", "weights")}
"""Parameters written with their name, because another of the statistic takes the same words."""


class Key(str):
    """The address of a number: a name and its parameters, in their order.

    A key is also its text, so a mapping by keys is read with a key or with the text. A parameter
    may be a key itself.

    >>> Key("degradation", of=Key("cohen_kappa", weights="quadratic"))
    'degradation[cohen_kappa[quadratic]]'
    >>> Key("cohen_kappa", weights="quadratic").params
    {'weights': 'quadratic'}
    """

    __slots__ = ("name", "params", "text")
    name: str
    params: dict[str, Any]
    text: str

    def __new__(cls, name: str, /, **params: Any) -> Self:
        """Write the text, once."""
        inside = ",".join(_word(name, key, value) for key, value in params.items())
        text = f"{name}[{inside}]" if params else name
        made = super().__new__(cls, text)
        made.name, made.params, made.text = name, params, text
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by name and parameters."""
        return _made, (self.name, self.params)

    def having(self, **params: Any) -> "Key":
        """Return the key with parameters added or changed."""
        return Key(self.name, **{**self.params, **params})


def split_key(text: str) -> tuple[str, str]:
    """Take the text of a key apart: the name, and what stands inside the brackets.

    >>> split_key("icc[1,1]"), split_key("degradation[smd[pooled]]"), split_key("bias")
    (('icc', '1,1'), ('degradation', 'smd[pooled]'), ('bias', ''))
    """
    name, _, inside = text.partition("[")
    return name, inside.removesuffix("]")


def _made(name: str, params: dict[str, Any]) -> Key:
    return Key(name, **params)


def _word(name: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        return f"{value:g}" if isinstance(value, int | float) else key
    return f"{key}={value}" if (name, key) in SPELLED_OUT else value
