"""Scale: the declared score points, from which every weight is computed."""

import csv
import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from tallymark.errors import OptionError, ScaleError, did_you_mean

MOST_POINTS = 101
"""A scale from 0 to 100 still has points; a finer one is treated as continuous."""
TRIM_TOLERANCE = 0.4998
"""In steps of the scale: a trimmed score still rounds to the end point it is nearest to."""
HALF_STEP = "half-step"
TRIM_RULES = {HALF_STEP: TRIM_TOLERANCE, "range": 0.0, "none": math.inf}
"""How far beyond the ends of the scale scores may lie, in steps: half a step, not at all, anywhere."""
View = Literal["ordinal", "binary", "nominal"]
"""What scores are: points in an order, two points, or labels without an order."""
_RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|to|\.\.)\s*(-?\d+(?:\.\d+)?)\s*")
SAME = "|"
"""Between words that are the same point."""
GREATEST = 1e12
"""Beyond it the powers that formulas need lose their digits or overflow."""


class Scale(Struct, frozen=True):
    """The score points in ascending order; a continuous scale keeps only its two ends.

    ``labels`` name the points when scores are words: two words are 0 and 1, more are 1, 2, 3 … in
    the listed order; words with a bar between them, ``fail|error``, are one point.
    ``inferred`` tells whether the points were declared or read off the data; ``nominal`` that the
    labels have no order, so that their numbers are but names; ``turned`` that the positive one of
    two labels was chosen, so that a number beside them counts from the other end.

    >>> Scale.parse("0:3:0.5").points
    (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
    >>> Scale.parse("fail,pass").labels
    ('fail', 'pass')
    """

    points: tuple[float, ...]
    labels: tuple[str, ...] = ()
    continuous: bool = False
    inferred: bool = False
    nominal: bool = False
    turned: bool = False

    def __post_init__(self) -> None:
        if not self.points:
            raise ScaleError("a scale needs at least one point, got none")
        if any(not math.isfinite(point) for point in self.points):
            raise ScaleError(f"scale points must be finite numbers, got {list(self.points)}")
        if any(low >= high for low, high in pairwise(self.points)):
            raise ScaleError(f"scale points must ascend without repeats, got {list(self.points)}")
        if self.labels and len(self.labels) != len(self.points):
            raise ScaleError(f"{len(self.labels)} labels for {len(self.points)} scale points")

    @property
    def view(self) -> View:
        """Whether scores are two points, labels without an order, or points in an order."""
        if self.nominal:
            return "nominal"
        return "binary" if len(self.points) == 2 and not self.continuous else "ordinal"

    @property
    def words(self) -> dict[str, float]:
        """The point of every word; in small letters, unless capitals tell words apart.

        >>> Scale.parse("I|N,P,C").words
        {'i': 1.0, 'n': 1.0, 'p': 2.0, 'c': 3.0}
        """
        named = zip(self.labels, self.points, strict=False)
        pairs = [(word.strip(), point) for label, point in named for word in label.split(SAME)]
        small = {word.lower(): point for word, point in pairs}
        words = small if len(small) == len(pairs) else dict(pairs)
        return {"1": 0.0, "0": 1.0} | words if self.turned else words

    def with_positive(self, word: str) -> "Scale":
        """The scale of two labels on which this one is the higher.

        >>> Scale.parse("fail,pass").with_positive("fail").labels
        ('pass', 'fail')
        """
        if self.view != "binary":
            raise OptionError(f"--positive needs two labels; the scale is {self}")
        places = [i for i, name in enumerate(self.names) if _is_one(word, name)]
        if len(places) != 1:
            raise OptionError(f"--positive {word}: no such label; choose {' or '.join(self.names)}")
        if places == [1]:
            return self
        if self.points != (0.0, 1.0):
            raise OptionError(
                f"--positive {word}: of the points {self} the higher is positive; write them as 0 "
                "and 1, or as words, to choose the other"
            )
        low, high = self.names
        return Scale(self.points, (high, low), inferred=self.inferred, turned=True)

    @property
    def names(self) -> tuple[str, ...]:
        """What the points are called: by their words or else by their numbers."""
        return self.labels or tuple(f"{point:g}" for point in self.points)

    def called(self, score: float) -> str | float:
        """The word of a score, where points have words and it is one; else the score."""
        if self.labels and score in self.points:
            return self.labels[self.points.index(score)]
        return score

    @property
    def low(self) -> float:
        """The lowest point."""
        return self.points[0]

    @property
    def high(self) -> float:
        """The highest point."""
        return self.points[-1]

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest point."""
        return self.low, self.high

    @property
    def step(self) -> float:
        """The smallest distance between neighbouring points; 0 on a continuous scale."""
        if self.continuous or len(self.points) < 2:
            return 0.0
        return min(b - a for a, b in pairwise(self.points))

    def __str__(self) -> str:
        """Write the scale as the user would declare it; a label with a comma stands in quotation marks."""
        if self.labels:
            return ",".join(map(quoted, self.labels))
        if self.continuous:
            return f"continuous {self.low:g} to {self.high:g}"
        if len(self.points) > 2 and _evenly_spaced(self.points):
            step = self.points[1] - self.points[0]
            tail = "" if step == 1 else f":{step:g}"
            return f"{self.low:g}:{self.high:g}{tail}"
        return ",".join(f"{point:g}" for point in self.points)

    @classmethod
    def of(cls, given: "Scale | str | Iterable[object]") -> "Scale":
        """Read a scale from a Scale, text such as ``1:6``, or a list of points or labels."""
        if isinstance(given, Scale):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        if not hasattr(given, "__iter__") or isinstance(given, bytes):
            raise ScaleError(f'a scale is text such as "1:6" or a list of points, got {given!r}')
        return cls._listed(list(given))

    @classmethod
    def categories(cls, given: "Scale | str | Iterable[object]") -> "Scale":
        """Read labels without an order from text such as ``refuse,comply``, or a list of them.

        >>> Scale.categories("refuse,comply,partial").view
        'nominal'
        """
        if isinstance(given, Scale):
            return given
        listed: Iterable[object] = _parts(given) if isinstance(given, str) else given
        words = tuple(word for label in listed if (word := str(label).strip()))
        if len(words) < 2:
            raise ScaleError(f"categories need two labels or more, got {list(words)}")
        labels = cls._worded(words).labels
        return cls(tuple(float(i + 1) for i in range(len(labels))), labels, nominal=True)

    @classmethod
    def parse(cls, text: str) -> "Scale":
        """Read ``1:6``, ``0:3:0.5`` or a comma-separated list of points or labels.

        >>> Scale.parse('"no, or late",yes: now').labels
        ('no, or late', 'yes: now')
        """
        if ends := _RANGE.fullmatch(text):  # not the word 1-6
            raise ScaleError(
                f"cannot read the scale {text!r}; write {ends[1]}:{ends[2]} for a range"
            )
        parts = _parts(text)
        if ":" not in text or (len(parts) > 1 and any(map(str.isalpha, text))):
            return cls._listed(parts)
        try:
            low, high, step = (*(float(part) for part in text.split(":")), 1.0)[:3]
        except ValueError:
            raise ScaleError(
                f"cannot read the scale {text!r}; write low:high, low:high:step or the points "
                "separated by commas, for example 1:6, 0:3:0.5 or 1,2,4"
            ) from None
        if not (all(map(math.isfinite, (low, high, step))) and high > low and step > 0):
            raise ScaleError(f"the scale {text!r} must ascend from low to high by a positive step")
        _check_size((low, high))
        steps = (high - low) / step
        if steps > 100_000:
            raise ScaleError(f"the scale {text!r} has {steps + 1:,.10g} points; is the step right?")
        if abs(steps - round(steps)) > 1e-9 * max(1.0, steps):
            raise ScaleError(f"the scale {text!r} does not reach {high:g} in steps of {step:g}")
        return cls(tuple(_grid(low, step, round(steps) + 1)))

    @classmethod
    def _listed(cls, given: Sequence[object]) -> "Scale":
        try:
            points = tuple(float(point) for point in given)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return cls._worded(tuple(str(label) for label in given))
        _check_size(points)
        return cls(points)

    @classmethod
    def _worded(cls, labels: tuple[str, ...]) -> "Scale":
        words = [word.strip() for label in labels for word in label.split(SAME)]
        if len(set(words)) < len(words) or not all(words):
            raise ScaleError(f"scale labels must differ, got {list(labels)}") from None
        first = 0 if len(labels) == 2 else 1  # so that the mean is the share of the second
        return cls(tuple(float(i) for i in range(first, first + len(labels))), labels)

    @classmethod
    def infer(cls, scores: Iterable[float]) -> "Scale":
        """Read the scale off observed scores: minimum to maximum by the greatest common step.

        >>> str(Scale.infer([1, 4, 2.5]))
        '1:4:1.5'
        """
        seen = sorted({float(score) for score in scores if not math.isnan(score)})
        if not seen:
            raise ScaleError("no scores to read a scale from; declare it with scale=")
        if len(seen) == 1:
            return cls((seen[0],), inferred=True)
        step = _common_step([b - a for a, b in pairwise(seen)])
        if step == 0 or (seen[-1] - seen[0]) / step + 1 > MOST_POINTS + 1e-6:
            return cls((seen[0], seen[-1]), continuous=True, inferred=True)
        count = round((seen[-1] - seen[0]) / step) + 1
        return cls(tuple(_grid(seen[0], step, count)), inferred=True)


def quoted(label: str) -> str:
    """Write a label as a list holds it: in quotation marks where it has a comma, or begins with one."""
    marked = "," in label or label.startswith('"')
    return '"{}"'.format(label.replace('"', '""')) if marked else label


def _parts(text: str) -> list[str]:
    """The parts of a list with commas between them; a part with commas stands in quotation marks."""
    parts = next(csv.reader([text], skipinitialspace=True), [])
    return [part for part in map(str.strip, parts) if part]


def _is_one(word: str, label: str) -> bool:
    """Whether a word is one of those of a label, whatever its capitals."""
    return word.strip().lower() in {each.strip().lower() for each in label.split(SAME)}


def _check_size(points: Sequence[float]) -> None:
    """Refuse points that no score may have."""
    for point in points:
        if GREATEST < abs(point) < math.inf:
            raise ScaleError(f"scale points must lie within {GREATEST:g} of 0, got {point:g}")


def _grid(low: float, step: float, count: int) -> list[float]:
    # twelve decimals undo the binary error of steps such as 0.1
    return [round(low + i * step, 12) for i in range(count)]


def _evenly_spaced(points: Sequence[float]) -> bool:
    step = points[1] - points[0]
    return all(abs(b - a - step) <= 1e-9 * step for a, b in pairwise(points))


def _common_step(gaps: Iterable[float]) -> float:
    """Greatest common divisor of the gaps to six decimals; 0 when the gaps have none."""
    whole = 0
    for gap in gaps:
        scaled = gap * 1_000_000
        if abs(scaled - round(scaled)) > 1e-3:
            return 0.0
        whole = math.gcd(whole, round(scaled))
    return whole / 1_000_000


def trim_steps(rule: str | float) -> float:
    """Return how many steps beyond the ends of the scale a rule leaves; a number is that number.

    >>> trim_steps("half-step"), trim_steps("range")
    (0.4998, 0.0)
    """
    if isinstance(rule, str):
        if rule not in TRIM_RULES:
            known = tuple(TRIM_RULES)
            what = f"unknown trim {rule!r}; choose {', '.join(known[:-1])} or {known[-1]}."
            raise OptionError(what + did_you_mean(rule, known))
        return TRIM_RULES[rule]
    if not (math.isfinite(rule) and rule >= 0):
        raise OptionError(f"trim must be zero or more steps of the scale, got {rule}")
    return float(rule)
