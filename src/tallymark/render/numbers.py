"""Numbers as people read them: the one rounding rule.

A number gets the digits that its interval can carry, by the rule of the Particle Data Group applied
to the half-width: two significant digits of it when they are 10 to 35, else one. Coefficients have
two or three decimals and, as 1 bounds them, no leading zero. Reference: Particle Data Group (2024),
Review of Particle Physics, introduction, section 5.3, doi:10.1103/PhysRevD.110.030001.
"""

import math

from tallymark.catalogue import is_signed, style_of
from tallymark.defaults import FEW, LEVEL
from tallymark.results import Estimate, Evaluation

MOST_ROWS = 20
"""So many rows a screen shows."""
FEW_RESPONSES = FEW
UNDEFINED = "undefined"
_COEFFICIENT = (2, 3)
_OTHER = (0, 6)
"""Fewest and most decimals."""
_WITHOUT_INTERVAL = 3
"""Significant digits of a number that has no interval."""
_WHOLE = ("0", "0.0", "100", "100.0")
_EXACT = 1e-9
"""A share so near to 0 or 1 differs from it by rounding alone."""


def is_coefficient(text: str) -> bool:
    """Whether a statistic is bounded by 1, so that it is written .79 and not 0.79.

    >>> is_coefficient("cohen_kappa[linear]"), is_coefficient("degradation[bias]")
    (True, False)
    """
    return style_of(text) == "share"


def decimals(value: float, low: float, high: float, *, coefficient: bool) -> int:
    """Return how many decimals the interval of a value can carry.

    >>> decimals(0.793, 0.768, 0.818, coefficient=True)
    3
    >>> decimals(0.793, 0.72, 0.85, coefficient=True)
    2
    >>> decimals(41.27, 38.1, 44.4, coefficient=False)
    1
    """
    size = (high - low) / 2
    if math.isfinite(size) and size > 0:
        leading, exponent = f"{size:.2e}".split("e")
        digits = 2 if float(leading) < 3.55 else 1
    else:
        leading, exponent = f"{value:.2e}".split("e")
        digits = _WITHOUT_INTERVAL
    fewest, most = _COEFFICIENT if coefficient else _OTHER
    return min(max(digits - 1 - int(exponent), fewest), most)


def rounded(value: float, places: int, *, coefficient: bool = False) -> str:
    """Write a number with this many decimals; a coefficient loses its leading zero.

    >>> rounded(0.7931, 2, coefficient=True), rounded(-0.0004, 2), rounded(1234.5, 0)
    ('.79', '0.00', '1,234')
    """
    text = f"{value:,.{places}f}"
    if not any(digit in text for digit in "123456789"):
        text = text.removeprefix("-")
    if coefficient:
        text = text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
    return text


def value_text(estimate: Estimate) -> str:
    """Write the value alone, with the digits that its interval can carry."""
    return _written(estimate)[0]


def with_interval(estimate: Estimate) -> str:
    """Write the value and its interval.

    >>> from tallymark.results import Key
    >>> with_interval(Estimate(key=Key("cohen_kappa"), value=0.79, low=0.724, high=0.85, n=200))
    '.79 [.72, .85]'
    """
    value, low, high = _written(estimate)
    if value == UNDEFINED:
        return UNDEFINED
    return f"{value} [{low}, {high}]" if low else f"{value} (no interval)"


def percent(estimate: Estimate) -> str:
    """Write a share and its interval in percent, for a sentence.

    >>> from tallymark.results import Key
    >>> percent(Estimate(key=Key("percent_agreement"), value=0.4, low=0.34, high=0.461, n=90))
    '40 % [34, 46]'
    """
    if math.isnan(estimate.value):
        return UNDEFINED
    value, low, high = estimate.value, estimate.low, estimate.high
    if math.isnan(low) or math.isnan(high):
        return f"{in_percent(value)} %"
    places = min(decimals(100 * value, 100 * low, 100 * high, coefficient=False), 1)
    ends = f"[{in_percent(low, places)}, {in_percent(high, places)}]"
    return f"{in_percent(value, places)} % {ends}"


def in_percent(share: float, places: int = 0) -> str:
    """Write a share in percent: only one that is 0 or 1 reads 0 or 100.

    >>> in_percent(1.0), in_percent(0.9966), in_percent(0.99966), in_percent(0.0004), in_percent(0.0)
    ('100', '99.7', '>99.9', '<0.1', '0')
    """
    exact = min(abs(share), abs(share - 1)) < _EXACT
    for text in (rounded(100 * share, places), rounded(100 * share, max(places, 1))):
        if exact or text not in _WHOLE:
            return text
    return ">99.9" if share > 1 / 2 else "<0.1"


def p_text(p: float) -> str:
    """Write a p-value.

    >>> p_text(0.0123), p_text(0.0004), p_text(1.0)
    ('.012', '< .001', '1')
    """
    if math.isnan(p):
        return UNDEFINED
    if p < 0.001:
        return "< .001"
    return "1" if p >= 0.9995 else rounded(p, 3, coefficient=True)


def p_after(p: float) -> str:
    """Write a p-value behind the letter p.

    >>> p_after(0.0123), p_after(0.0004)
    ('= .012', '< .001')
    """
    text = p_text(p)
    return text if text.startswith("<") or text == UNDEFINED else f"= {text}"


def count(number: int) -> str:
    """Write a count.

    >>> count(1200)
    '1,200'
    """
    return f"{number:,}"


def rounded_up(number: float) -> float:
    """Round up to two significant digits: what is needed must not become less than enough.

    >>> rounded_up(205), rounded_up(9400), rounded_up(2.01)
    (210, 9400, 2.1)
    """
    step = 10.0 ** (math.floor(math.log10(number)) - 1) if number > 0 else 1.0
    up = math.ceil(number / step - 1e-9)
    return up * int(step) if step >= 1 else up * step


def roughly(number: float) -> str:
    """Write a count to two digits.

    >>> roughly(14_821)
    '15,000'
    """
    return count(int(float(f"{number:.2g}")))


def counted_up(estimate: Estimate) -> str:
    """Write how many are needed, and the interval, each rounded up.

    >>> from tallymark.results import Key
    >>> counted_up(Estimate(key=Key("raters_needed"), value=2.1, low=1.2, high=3.4, n=90))
    '3 [2, 4]'
    """
    if not math.isfinite(estimate.value):
        return UNDEFINED
    value, *ends = (
        count(math.ceil(number - 1e-9)) if math.isfinite(number) else ""
        for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} [{', '.join(ends)}]" if all(ends) else value


def coefficient_text(number: float) -> str:
    """Write a coefficient that was chosen, or has no interval: two decimals, or three.

    >>> coefficient_text(0.7), coefficient_text(0.695), coefficient_text(-0.05)
    ('.70', '.695', '-.05')
    """
    if 0 < abs(number) < 0.001:
        return f"{number:g}"
    text = rounded(number, 3, coefficient=True)
    return text.removesuffix("0")


def plain_number(number: float) -> str:
    """Write a number that has no interval."""
    if math.isnan(number):
        return "undefined"
    if math.isinf(number):
        return "infinite" if number > 0 else "-infinite"
    if number == int(number) and abs(number) < 1e15:
        return count(int(number))
    places = decimals(number, math.nan, math.nan, coefficient=False)
    short = f"{number:g}"  # a number such as 0.5 was chosen, not measured
    return short if len(short) <= 4 else rounded(number, places)


def _written(estimate: Estimate) -> tuple[str, str, str]:
    """The value and the two ends; the ends are empty when there is no interval."""
    if not math.isfinite(estimate.value):
        return UNDEFINED, "", ""
    coefficient = is_coefficient(estimate.text)
    places = decimals(estimate.value, estimate.low, estimate.high, coefficient=coefficient)
    signed = is_signed(estimate.text)

    def write(number: float) -> str:
        text = rounded(number, places, coefficient=coefficient)
        return f"+{text}" if signed and number > 0 else text

    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return write(estimate.value), "", ""
    return write(estimate.value), write(estimate.low), write(estimate.high)


def responses(n: int) -> str:
    """Write a number of responses."""
    return "1 response" if n == 1 else f"{count(n)} responses"


def intervals(evaluation: Evaluation) -> str:
    """Say the level of the intervals."""
    return f"{100 * float(evaluation.options.get('level', LEVEL)):g} % intervals"


def counted(n: int) -> str:
    """Write a number of responses, with a star when they are few."""
    return count(n) + "*" * (n < FEW_RESPONSES)
