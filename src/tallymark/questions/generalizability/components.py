"""Variance components as formulas, of whatever design."""

from typing import Any

from tallymark.inference import Formula

ONCE = "too few responses were rated twice"
COEFFICIENTS = ("generalizability", "dependability")
ANALYTIC: dict[str, Any] = {"interval": "analytic", "analytic": "t", "ddof": 1}
"""A response drawn twice repeats its errors, which the bootstrap takes for severity: with few
responses a rater it covered .60 for .95 (rater, residual), this interval .96."""


def component(design: str, name: str, facet: str = "prompt") -> Formula:
    """One component; what candidates and raters are crossed with is a prompt or a trait."""
    of = name.replace("_", " x ").replace("prompt", facet)
    return Formula(
        name="variance_component",
        params={"design": design, "of": of},
        value=lambda parts: getattr(parts, name),
        undefined=ONCE,
        **ANALYTIC,
    )
