"""The sections of docs/coverage.md on numbers that several statistics make up: derived.py measures."""

from tests.intervals.measuring import Measured
from tests.intervals.tables import both, grid, named, plain, samples

DERIVED = """## Degradation, PRMSE, means over prompts and ceilings

Two raters and a lenient system; n is that of each prompt where there are four, whose mean quality differs by up to two standard deviations. *Skewed*: low scores dominate. {samples}; in brackets coverage less that of BCa on the same samples, in thousandths, and its standard error.

{derived}

What two raters tell of ceilings ([ceilings](ceilings.md#intervals)), {of_ceilings}:

{ceilings}

**Means over many prompts.** 31 prompts, whose mean quality differs by up to two standard deviations; n is that of each prompt; {of_many}. Above 30 prompts agreement has ABC, whose bend corrects for
the bias of small prompts: the plain normal interval held QWK of two people in .87, .68 and .48 of samples with 30, 30 skewed and 10 responses a prompt (200 samples), ABC in .96, .83 and .86. True-score numbers and
shares of a ceiling have the normal interval: they are ratios, and in a prompt of 30 skewed responses ABC held PRMSE in .64 where it could be computed at all. With fewer than 30 responses a prompt read no mean as settled.

{many}
"""


def derived(measured: Measured) -> str:
    """The section."""
    of_two, ceilings, many = (measured[s] for s in ("derived", "ceilings", "many prompts"))
    names = next(iter(many.values()))
    return DERIVED.format(
        samples=samples(of_two),
        of_ceilings=samples(ceilings),
        of_many=samples(many),
        derived=grid("", named(next(iter(of_two.values()))), of_two, text=both),
        ceilings=grid("", named(next(iter(ceilings.values()))), ceilings, text=both),
        many=grid("", {f"mean of {name}": name for name in names}, many),
    )


RARE = """**Rare errors**, by the present program. Shares of errors of 0, 1, 2 … points; golds are even over those from which every error fits on the scale. {samples};
in brackets coverage less that of BCa on the same samples. A sample whose scores are all right has no interval.

{rare}

So with 30 to 100 responses of which one in 200 goes badly wrong, what is squared holds in as few as {least} of the samples: no sample of that size tells how often it happens. Verdicts wait for 100 responses
([verdict.md](verdict.md#how-often-it-errs)).
"""


def rare_errors(measured: Measured) -> str:
    """What becomes of errors rarer than in the populations of the page."""
    cells = measured["rare errors"]
    names = next(iter(cells.values()))
    lines = [
        f"| | {' | '.join(names)} |",
        "|---|" + "---|" * len(names),
        *(
            f"| {words} | {' | '.join(both(found[name]) for name in names)} |"
            for words, found in cells.items()
        ),
    ]
    least = min(found["mse"].share for found in cells.values())
    return RARE.format(samples=samples(cells), rare="\n".join(lines), least=plain(least))
