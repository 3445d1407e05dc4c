"""The first screen answers, on awkward data sets with many systems: laws of headlines."""

import math
import re

import pytest

import tallymark as tm
from tallymark.analyses.claims import claims
from tallymark.analyses.findings import MOST_ALARMS, alarms
from tallymark.analyses.sections import opening
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.render.model import Remark, Table
from tallymark.render.sentences import written
from tallymark.render.subsets import headline_subsets, labels_of
from tests.awkward import awkward
from tests.screens import recorded, sets, with_more_systems

FROM_ON = 3
"""Systems or prompts from which on a matrix leads."""


def evaluated(name, more):
    if more:
        return recorded(f"evaluate of {more + 1}", name).evaluation
    columns, roles = with_more_systems(name, 0)
    return tm.evaluate(columns, **roles, interval="analytic")


def kappas(found):
    _, subsets = headline_subsets(found)
    numbers = [(s.system, found.of(s)) for s in subsets]
    known = {
        system: of.get("cohen_kappa[quadratic]") or of.get("lin_ccc") for system, of in numbers
    }
    return {s: e.value for s, e in known.items() if e is not None and not math.isnan(e.value)}


@pytest.mark.parametrize("name", sets())
def test_of_many_systems_the_headline_names_the_best_and_what_is_settled_and_the_value_stands_once(
    name,
):
    found, first = evaluated(name, 3), None
    for claim in claims(found):
        first = first or claim
    assert first is not None
    said = f"{first.name} {written(first.words)} {written(first.detail)}"
    assert "held against" not in said
    known = kappas(found)
    if not known:
        assert "cannot be ranked" in said
        return
    if len({*known.values()}) == 1:
        assert "All 4 systems reach the same QWK" in said
        return
    best = max(known, key=lambda system: known[system])
    assert known[first.name] == known[best]
    assert re.match(rf"{first.name} has the highest (QWK|CCC) of 4 systems( \(mean|\. )", said)
    apart = {
        str(found.subsets[e.subset].against): e
        for e in found.estimates
        if e.name == "paired_difference" and not math.isnan(e.value)
    }
    for other, difference in apart.items():
        assert difference.value == pytest.approx(known[first.name] - known[other], abs=1e-9)
    settled = [other for other, e in apart.items() if e.parts["p_holm"] <= 0.05]
    if apart and len(settled) == len(apart):
        assert "ahead of all 3 others" in said
    elif apart and settled:
        open_ = re.findall(r"Its lead over (.*?) is not settled\.|all others but (\S+),", said)[0]
        assert not any(other in "".join(open_) for other in settled)
    elif apart:
        assert "Its lead over any of the 3 others is not settled" in said
    assert written(first.words) in " ".join(plain_text(summary(found)).split())


@pytest.mark.parametrize("more", [0, 1, 3])
@pytest.mark.parametrize("name", sets())
def test_a_matrix_leads_from_three_systems_or_prompts_on_and_alarms_are_three_at_most(name, more):
    found = evaluated(name, more)
    column, subsets = headline_subsets(found)
    parts = labels_of(found, column) if column else []
    matrices = [b for b in opening(found) if isinstance(b, Table) and b.id.startswith("matrix")]
    wanted = max(len(found.options["systems"]), len(parts)) >= FROM_ON and bool(subsets)
    assert bool(matrices) is wanted
    loud, _ = alarms(found)
    assert len(loud) <= MOST_ALARMS == 3
    assert all(isinstance(remark, Remark) for remark in loud)
    short = [line.text for line in summary(found, full=False)]
    assert sum(bool(re.match("! ", line)) for line in short) <= MOST_ALARMS


def test_what_people_reach_in_one_prompt_is_not_said_of_the_system():
    columns, roles = awkward("rated_twice_in_one_prompt")
    found = tm.evaluate(columns, **roles, interval="analytic")
    (claim,) = claims(found)
    assert written(claim.words).startswith("agrees with the gold at QWK .24")
    assert written(claim.detail).startswith("Beside people (prompt p1 alone): engine ")
    text = " ".join(" ".join(line.text for line in summary(found, full=False)).split())
    assert text.startswith("engine agrees with the gold at QWK .24")
    assert "engine: QWK .71 (prompt p1 alone) is " in text
