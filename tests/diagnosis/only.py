"""One part of the diagnosis alone, as an evaluation: tests need not wait for the rest."""

from tallymark.inference import Settings
from tallymark.simulation import Rater, System, simulate
from tallymark.sources import Roles, read_scores
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.parts import parts_of
from tests.said import read


def only(
    step, columns, *, replicates=200, interval=None, asked=None, roles=None, scale="1:6", **options
):
    """Read columns h1, h2 (or gold) and s, and collect what one step finds of the system s."""
    named = [name for name in ("h1", "h2", "h3") if name in columns]
    gold = "gold" if "gold" in columns else None
    known = {"humans": tuple(named), "gold": gold, "systems": ("s",)} | (roles or {})
    scores = read_scores(columns, roles=Roles(**known), scale=scale, **options)
    settings = Settings(replicates=replicates, interval=interval)
    parts = list(parts_of(scores, cross=False))
    return collected(scores, settings, asked or Asked(), list(step("s", parts, settings)))


def scored(n, *, seed=1, noise=0.6, system=0.6, scale="1:6", mean=None, sd=None, **kind):
    """Scores of two raters with this noise and of a system, as columns."""
    made = simulate(
        n,
        scale=scale,
        raters=[Rater("h1", noise=noise), Rater("h2", noise=noise)],
        systems=[System("s", noise=system, **kind)],
        mean=mean,
        sd=sd,
        seed=seed,
    )
    return {name: made.columns()[name] for name in ("h1", "h2", "s")}


def found(evaluation, text):
    """The first estimate with this text."""
    return next(e for e in evaluation.estimates if e.text == text)


def curves(evaluation):
    """The curves by name."""
    return {curve.name: curve for curve in evaluation.curves}


def diagnoses(evaluation, name=""):
    """The findings of one check, or all."""
    return [read(evaluation, d) for d in evaluation.diagnoses if name in ("", d.name)]
