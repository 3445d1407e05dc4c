"""The catalogue: every row is complete, every word leads to one number, every number is reported."""

import re
from difflib import SequenceMatcher

import pytest

import tallymark as tm
from tallymark.analyses.explain import appears_in, explain
from tallymark.catalogue import (
    BY_NAME,
    CATALOGUE,
    FORMULAS,
    aliases_of,
    canonical,
    definition_of,
    find,
    members,
    style_of,
    texts,
)
from tallymark.catalogue.explanation import NO_NUMBERS, USED_BY
from tallymark.catalogue.lookup import plain
from tallymark.catalogue.sets import SETS
from tallymark.errors import OptionError

FULL = ("Reads", "Beware", "Formula", "Values", "Undefined", "Appears in", "In files")
PLACEHOLDER = re.compile(r"\.\.\.|TODO|XXX|[{]\w*[}]|\bNone\b|^\s*$")
every_row = pytest.mark.parametrize("row", CATALOGUE, ids=lambda row: row.name)


@every_row
def test_every_row_explains_in_full(row):
    found = explain(row.name)
    assert set(FULL) <= set(found.facts)
    for heading, words in found.facts.items():
        if heading not in ("Formula", "In Python"):
            assert not PLACEHOLDER.search(words), (heading, words)
    for sentence in (row.reading, row.misreading):
        assert sentence.endswith((".", "?")), sentence
    assert not row.undefined.endswith(".")
    assert row.range[0] < row.range[1]
    assert str(found).startswith(found.title)
    assert found.title.split()[0].rstrip(":,") in found._repr_html_().replace("&#x27;", "'")


@every_row
def test_a_name_and_its_other_words_lead_to_it_in_any_case(row):
    for word, text in {row.name: row.name, **aliases_of(row)}.items():
        assert {canonical(word), canonical(word.upper()), canonical(word.lower())} == {text}
        assert plain(word) != plain(row.name) or word == row.name or word.upper() == word


def test_words_of_every_source_are_known():
    for source, words in USED_BY.items():
        for word in words:
            assert canonical(word), (source, word)
    assert not [word for word in NO_NUMBERS if canonical(word)]


def test_sets_hold_numbers_that_can_be_computed_once_each():
    named = {word.partition(":")[0] for row in CATALOGUE for word in row.sets.split()}
    named |= {
        word.partition(":")[0]
        for row in CATALOGUE
        for one in row.variants
        for word in one.sets.split()
    }
    assert {word.rpartition("/")[2] for word in named} == set(SETS)
    for name in SETS:
        found = members(name)
        assert len(set(texts(name))) == len(found) > 0
        for one in found:
            if one.row.value is not None:
                assert find(one.text).name == one.row.name
    for row in FORMULAS:
        for variant in row.variants:
            text = f"{row.name}[{variant.inside}]"
            assert find(text).key == text


def test_a_number_of_a_question_says_where_it_is_reported():
    with pytest.raises(
        OptionError, match=r"prmse is a number of its own.*`tallymark explain prmse`"
    ):
        find("PRMSE")
    with pytest.raises(OptionError) as raised:
        find("osa")
    assert "Did you mean" not in str(raised.value)


def test_a_number_without_a_row_cannot_be_reported():
    with pytest.raises(LookupError, match="fancy has no row"):
        definition_of("fancy", {})


def test_a_number_is_written_as_its_row_says():
    for text, style in {
        "icc[2,k]": "share",
        "self_consistency[icc]": "share",
        "self_consistency[changed]": "share",
        "self_consistency[sd]": "points",
        "degradation[cohen_kappa[quadratic]]": "share",
        "binned[smd[unpooled],3]": "plain",
        "most_confident[bias,0.25]": "points",
        "severity": "logits",
    }.items():
        assert style_of(text) == style, text


def test_unknown_names_end_with_near_ones():
    with pytest.raises(
        OptionError, match=r"no number 'quadratic kapa'.*Near: quadratic_weighted_kappa"
    ):
        tm.explain("quadratic kapa")
    with pytest.raises(OptionError, match=r"Near: .*kappa"):
        tm.explain("kapa")
    assert "confidence" in str(tm.explain("Posterior"))


def test_a_contrast_in_an_error_rate_is_better_the_lower_it_is():
    assert "lower is better" in explain("degradation[CSRate]").facts["Values"]
    assert "higher is better" in explain("degradation[QWK]").facts["Values"]


def test_all_numbers_are_listed_by_family():
    listed = " ".join(explain().facts.values())
    assert all(name in listed for name in BY_NAME)


@every_row
def test_every_number_appears_in_a_section_of_a_command(row):
    assert re.match(r'tallymark \w+.*, section "[A-Z]', appears_in(row))


@every_row
def test_a_misspelt_name_never_leads_to_one_that_is_further_away(row):
    for i in range(len(row.name)):
        typo = row.name[:i] + row.name[i + 1 :]
        if canonical(typo) is None:
            with pytest.raises(OptionError) as raised:
                find(typo)
            hint = re.search(r"Did you mean '(.*?)'", str(raised.value))
            assert hint, typo
            closeness = [
                SequenceMatcher(None, word, typo).ratio() for word in (hint[1].casefold(), row.name)
            ]
            assert closeness[0] >= closeness[1], (typo, hint[1])
