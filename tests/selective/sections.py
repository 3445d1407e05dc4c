"""Sections of docs/guarantees.md about use: power, few labels, a second rater, watches, shifts."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tallymark.selective.bounds import labels_for_zero, n_min
from tallymark.selective.plan import accepted_needed
from tests.selective.ties import Drawn, Way
from tests.selective.uses import largest_fall

if TYPE_CHECKING:
    from tests.selective.measured import Uses

SHOWN = (150, 300, 450, 600, 750, 900, 1050, 1200, 1350, 1500, 2010, 2505, 3000)


def _row(head: str, cells: list[str]) -> str:
    return f"| {head} | " + " | ".join(cells) + " |"


def _rule(columns: int) -> str:
    return "|" + "---|" * (columns + 1)


def _share(value: float, places: int = 2) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.{places}f}".removeprefix("0") if value else "0"


def _error(share: float, runs: int) -> float:
    return math.sqrt(share * (1 - share) / runs)


def drawn(found: Mapping[Way, Drawn]) -> str:
    """What came of trying to break the ranks of ties."""
    tried = "; ".join(
        f"{way}: {own.profiles:,} sets, {_share(own.again, 3)} at worst"
        for way, own in found.items()
    )
    one = next(iter(found.values()))
    return (
        f"Rates were drawn to break it, just above alpha with one chain at the whole of delta, and just above alpha after a safe "
        f"stretch with chains that hand delta on ({one.runs:,} samples of each set, and {one.fresh:,} fresh ones of the ten worst): {tried}."
    )


def power(found: "Uses") -> str:
    """How the power of the search grows with the labels."""
    lines = [
        "### More labels, more power",
        "",
        (
            "Exact chance that the search accepts all of the responses that may be accepted (the first 100 or 60 %; the rate r is the same at "
            "each of their confidences, and everything below is an error), by the number of labels; alpha = .02, delta = .05. `fall` is the largest "
            "drop below what fewer labels had, over every 15th number from 150 to 3,000; a single test at a threshold fixed "
            "beforehand falls by up to .16 too, since errors come whole."
        ),
        "",
        _row("r, share", [f"{n:,}" for n in SHOWN] + ["fall"]),
        _rule(len(SHOWN) + 1),
    ]
    for (rate, share), by in found.powers.items():
        fall = largest_fall([whole for whole, _ in by.values()])
        cells = [_share(by[n][0]) for n in SHOWN]
        lines.append(_row(f"{rate:g}, {100 * share:g} %", [*cells, _share(fall)]))
    plans = "; ".join(
        f"alpha {a:g}, rate {r:g}, {100 * c:g} % accepted: {labels:,} labels, said {_share(said)}, seen {_share(seen)}"
        for (a, r, c), (labels, said, seen) in found.planned.items()
    )
    lines += [
        "",
        (
            "Three chains at a third of delta each, from 0, 2 and 8 critical errors on, had .73 at 600 labels, .57 at 1,350 and .98 at 1,369 (rate "
            ".005, 60 %), and .40 at most for a rate of .01."
        ),
        "",
        f"`plan certify` against simulation (1,500 samples, standard error .01 at most; labels for a power of .8): {plans}.",
    ]
    return "\n".join(lines)


def few(found: "Uses") -> str:
    """What a certificate from few labels is worth."""
    sizes = list(dict.fromkeys(n for _, n in found.few))
    names = list(dict.fromkeys(name for name, _ in found.few))
    lines = [
        "### Few labels",
        "",
        (
            "The promise counts all calibration samples: at most 5 in 100 give an unsafe threshold, those that certify nothing included. It says "
            "nothing about the samples that certified. Where these are few, most of them may be the unlucky ones. Share of 3,000 samples that "
            "certified anything, and of those the unsafe (alpha = .05):"
        ),
        "",
        _row("labels", [f"{n}" for n in sizes]),
        _rule(len(sizes)),
    ]
    for name in names:
        own = [found.few[name, n] for n in sizes]
        lines.append(
            _row(name, [f"{_share(one.certified, 3)}: {_share(one.unsafe)} unsafe" for one in own])
        )
    lines += [
        "",
        (
            "So a certificate from fewer labels than would certify a system at a quarter of alpha four times in five (206 for .05) is told to "
            "be from few labels. Unsafe shares from 3,000 samples of which 1 in 100 certified have a standard error of about .09."
        ),
    ]
    return "\n".join(lines)


def second(found: "Uses") -> str:
    """How often the bound beside a second rater was too low."""
    lines = [
        (
            "How often the bound was too low (1,500 samples of scenario A, alpha = delta = .05; the rater errs in 3 %, and shares none, .3 or .9 of the "
            "system's errors), among the samples that certified, whose responses also chose the threshold:"
        ),
        "",
        _row("bound", [f"n = {n}, {_share(shared, 1)} shared" for n, shared in found.second]),
        _rule(len(found.second)),
    ]
    for method in ("exact", "score"):
        own = [found.second[key][method] for key in found.second]
        lines.append(_row(method, [_share(value, 3) for value in own]))
    lines += [
        "",
        "`--margin` takes the exact one; its standard errors here are .006 at most. The interval beside it (score) is for reading, not for the claim.",
    ]
    return "\n".join(lines)


def watching(found: "Uses") -> str:
    """False alarms and delays of both watches."""
    lines = [
        "### False alarms and delay",
        "",
        (
            "Share of 1,500 streams of 1,000 audits with an alarm, and the median audit of the detector's alarm; alpha = .05, run length 1,000 (standard errors "
            ".013 at most)."
        ),
        "",
        "| rate of critical errors | since the start | lately | median |",
        "|---|---|---|---|",
    ]
    for name, own in found.watches.items():
        median = "none" if math.isinf(own.median) else f"{own.median:.0f}"
        lines.append(_row(name, [_share(own.since_start, 3), _share(own.lately, 3), median]))
    worst = max(found.psi.values())
    cells = ", ".join(
        f"{n:,} / {new:,}: {_share(value, 3)}" for (n, new), value in found.psi.items()
    )
    lines += [
        "",
        (
            "At exactly alpha the detector alarms in half of the streams within 1,000 audits: its promise is a mean run of 1,000 or more, not a small "
            "chance. A system that is comfortably below alpha hardly ever sets it off."
        ),
        "",
        (
            f"The alarm of a shift (PSI .25 or more at p < .01) where nothing shifted, by calibration / new responses: {cells}; {_share(worst, 3)} at worst "
            "(1,000 pairs each). That is for one look; looking every week adds up."
        ),
    ]
    return "\n".join(lines)


def shifted(found: "Uses") -> str:
    """What a shift does, and who notices."""
    lines = [
        "### Shift between calibration and use",
        "",
        (
            "Scenario B, alpha = .05, 1,000 labels, 500 calibrations. *Rate*: mean true rate among the accepted in use. *Noticed*: share of files of 500 new responses in which `apply` "
            "finds confidences of what it accepts unlike those accepted in the calibration. *Audits*: median audits to the detector's alarm, up to 2,000."
        ),
        "",
        "| in use | rate | noticed without labels | audits |",
        "|---|---|---|---|",
    ]
    for name, own in found.shifts.items():
        audits = "none" if math.isinf(own.audits) else f"{own.audits:.0f}"
        lines.append(_row(name, [_share(own.rate, 3), _share(own.noticed), audits]))
    lines += [
        "",
        (
            "The guarantee holds for none of these but the first. A shift that leaves the confidences alone is invisible to `apply`; only audits find it. "
            "Harder responses with honest confidences do little harm and set off no alarm: fewer of them are accepted."
        ),
    ]
    return "\n".join(lines)


def labels() -> str:
    """How many labels a certificate takes."""
    lines = [
        "## How many labels",
        "",
        (
            "Accepted calibration responses that certify alpha at delta = .05 with k critical errors among them; and those that do so four times "
            "in five if the true rate is r (at first / from then on: the power goes up and down, since errors come whole), at a threshold fixed beforehand: a search takes more, see `tallymark plan certify`. Divide by the coverage."
        ),
        "",
        "| alpha | k = 0 | 1 | 2 | 3 | 4 | 5 | six prompts, k = 0 | r: at first / from then on |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for alpha, rates in {0.05: (0.01, 0.02), 0.02: (0.005, 0.01), 0.01: (0.002, 0.005)}.items():
        power = []
        for rate in rates:
            first, stays = accepted_needed(alpha, 0.05, rate, 0.8)
            power.append(f"{rate:g}: {first:.0f} / {stays:.0f}")
        least = [f"{n}" for n in n_min(alpha, 0.05, list(range(6)))]
        six = f"{int(n_min(alpha, 0.05 / 6))}"
        lines.append(_row(f"{alpha:g}", [*least, six, "; ".join(power)]))
    lines += [
        "",
        (
            f'**Zero is not on offer.** "None among the next 100" takes {labels_for_zero(100, 0.05):,} accepted labels without a critical error, '
            f"none among the next 1,000 takes {labels_for_zero(1000, 0.05):,}. Even a true rate of 1 % gives a clean hundred in only 37 % of cases. What "
            "Tallymark prints instead is an upper bound on the critical errors among your next m responses."
        ),
    ]
    return "\n".join(lines)


PEOPLE = """## No worse than a second human

Part of what counts as the machine's error is the human's. The rate of critical errors between two people stands beside every machine rate,
and an alpha below it is flagged. To claim "no worse than a second human", `no_worse` bounds the paired difference of the two rates on the same
responses (Tango's score bound, or an exact one) and compares it with a margin declared beforehand. A McNemar test that finds nothing is
no evidence: with few responses it never finds anything."""
