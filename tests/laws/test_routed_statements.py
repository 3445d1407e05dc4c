"""What is said of a routing holds for its thresholds: laws over awkward data sets."""

import re

import pytest

from tallymark.analyses.claims import claims
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.render.sentences import written
from tests.screens import ALPHA, cases, recorded


def thresholds(found):
    return [
        dict(zip(table.columns, row, strict=True))
        for table in found.tables
        if table.name == "routing"
        for row in table.rows
    ]


@pytest.mark.parametrize(("command", "name"), cases("route"))
def test_the_first_words_say_how_much_is_accepted_or_what_is_missing(command, name):
    found = recorded(command, name).evaluation
    (row,) = thresholds(found)
    (claim,) = claims(found)
    said = written(claim.words)
    assert (claim.state == "certified") is (row["certified"] == "yes")
    if row["certified"] == "yes":
        (share,) = re.findall(r"([\d.]+) % can be accepted", said)
        assert float(share) == pytest.approx(100 * row["coverage"], abs=0.51)
        assert "at most 20 % of them critically wrong (95 % sure)" in said
        assert row["upper bound"] <= ALPHA
    else:
        assert said.startswith("Cannot certify")
        assert row["coverage"] == 0
    text = " ".join(plain_text(summary(found)).split())
    assert text.startswith(said)
    if row["certified"] == "yes":
        assert "Cannot certify" not in text
