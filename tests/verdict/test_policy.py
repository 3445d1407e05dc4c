"""Policies: ours, the user's, and those that are refused."""

import math
import tomllib
from pathlib import Path

import pytest

from tallymark.catalogue import canonical
from tallymark.errors import OptionError
from tallymark.verdict.policy import FOLDER, packaged, policy_of
from tallymark.verdict.statistics import held, known

HEAD = 'name = "own"\nversion = "2"\n'


@pytest.fixture
def policy(tmp_path):
    """``policy("at_least = 0.7")`` reads a file with one limit on QWK; other text stands alone."""

    def read(lines, statistic="qwk", head=HEAD):
        path = tmp_path / "own.toml"
        path.write_text(f'{head}[[criteria]]\nstatistic = "{statistic}"\n{lines}\n', "utf-8")
        return policy_of(path)

    return read


def test_our_policies_can_be_read():
    assert packaged() == (
        "ctb2014",
        "llm-judge",
        "rsmtool-highlights",
        "williamson2012",
        "wood2021",
    )
    for name in packaged():
        found = policy_of(name)
        assert found.name == name
        assert found.version in "123"
        assert found.cautions
        assert found.minimum_group == 30


@pytest.mark.parametrize("name", packaged())
def test_our_policies_name_statistics_as_the_catalogue_does(name):
    raw = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    named = [one["statistic"] for one in raw["criteria"]]
    assert named == [canonical(text) for text in named]


def test_rsmtool_highlights_differ_in_the_group_rule_and_ask_first_whether_people_agree():
    one, other = (policy_of(name).limits for name in ("williamson2012", "rsmtool-highlights"))
    assert one[:-1] == other[1:-1]
    people = other[0]
    assert (people.statistic, people.at_least) == ("human_human[cohen_kappa[quadratic]]", 0.7)
    assert people.precondition
    assert people.optional
    assert (other[-1].statistic, other[-1].at_most, other[-1].where) == ("dsm", 0.1, "every group")


def test_a_file_of_the_user(policy):
    found = policy('within = 0.2\ntitle = "Gap"\ndecide = "point"\nsource = "board"', "smd")
    (one,) = found.limits
    assert (found.name, found.version, found.title) == ("own", "2", "own")
    assert (one.statistic, one.title, one.bounds) == ("smd[unpooled]", "Gap", (-0.2, 0.2))
    assert (one.decide, one.source, one.optional) == ("point", "board", False)


def test_a_policy_that_was_read_is_taken_as_it_is():
    found = policy_of("llm-judge")
    assert policy_of(found) is found


@pytest.mark.parametrize(
    ("given", "text", "span"),
    [
        ("QWK", "cohen_kappa[quadratic]", (-1, 1)),
        ("exact", "percent_agreement", (0, 1)),
        ("degradation[qwk]", "degradation[cohen_kappa[quadratic]]", (-2, 2)),
        ("degradation[csrate[0.2]]", "degradation[csrate[0.2]]", (-1, 1)),
        ("human_human[r]", "human_human[pearson]", (-1, 1)),
        ("csrate", "csrate", (0, 1)),
        ("self_consistency[exact]", "self_consistency[exact]", (0, 1)),
        ("prmse", "prmse", (-math.inf, math.inf)),
        ("r2", "r2", (-math.inf, 1)),
    ],
)
def test_statistics_are_named_as_everywhere(given, text, span):
    found = held(given, "here")
    assert (found.text, found.range) == (text, span)


def test_every_known_statistic_may_be_held():
    for name in known():
        inside = name.replace("...", "qwk")
        assert held(inside, "here").text


@pytest.mark.parametrize(
    ("statistic", "lines", "message"),
    [
        (
            "qwkk",
            "at_least = 0.7",
            r"unknown statistic 'qwkk'\. Did you mean 'QWK'\?.*Known: .*prmse",
        ),
        ("icc", "at_least = 0.7", "unknown statistic 'icc'.*Known"),
        ("fleiss_kappa", "at_least = 0.7", "unknown statistic 'fleiss_kappa'"),
        ("cohen_kappa[cubic]", "at_least = 0.7", "unknown weights 'cubic'.*identity, linear"),
        ("degradation[mae]", "at_least = 0.7", "degradation is computed of .*not of mae"),
        ("degradation[nothing]", "at_least = 0.7", "unknown statistic 'nothing'"),
        ("qwk", "at_least = 1.2", "at_least = 1.2 would never be met.*between -1 and 1"),
        ("qwk", "at_least = -1", "would always be met"),
        ("exact", "at_most = -0.1", "at_most = -0.1 would never be met.*between 0 and 1"),
        ("qwk", "at_least = 0.8\nat_most = 0.7", "at_least 0.8 must lie below at_most 0.7"),
        ("smd", "within = 0", "within must be above 0"),
        ("smd", "within = 0.1\nat_most = 0.2", "not both"),
        ("smd", "within = nan", "must be a finite number"),
        ("qwk", "", "has no limit: give at_least, at_most or within"),
        ("qwk", "at_least = 0.7\natmost = 0.9", "unknown key 'atmost'.*Did you mean 'at_most'"),
        ("qwk", 'at_least = "0.7"', "at_least of criterion 1 .* must be a number, got '0.7'"),
        ("qwk", "at_least = true", "must be a number, got True"),
        ("qwk", 'at_least = 0.7\nwhere = "each group"', "unknown where 'each group'.*every group"),
        ("qwk", 'at_least = 0.7\ndecide = "coin"', "unknown decide 'coin'; choose interval, point"),
        ("qwk", "at_least = 0.705\ndecimals = 2", "0.705 has more than 2 decimals"),
        ("qwk", "at_least = 0.7\ndecimals = -1", "decimals must lie between 0 and 6"),
        ("dsm", "within = 0.1", 'dsm is a number of groups; add where = "every group"'),
        ("qwk", "at_least = ", "is not valid TOML"),
        ("qwk", "at_least = .7", "is not valid TOML.*0.70, not .70"),
    ],
)
def test_what_is_wrong_is_said(policy, statistic, lines, message):
    with pytest.raises(OptionError, match=message):
        policy(lines, statistic)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('version = "1"\n', "must have the key name"),
        ('name = "x"\n', "must have the key version"),
        (f"{HEAD}limits = 3\n", "unknown key 'limits'.*It takes name, version"),
        (f"{HEAD}minimum_group = 1\n", "minimum_group .* at least 2, got 1"),
        (f'{HEAD}cautions = "one"\n', "cautions .* must be a list of texts"),
        ('name = "llm-judge"\nversion = "1"\n', "Tallymark's own policy llm-judge and is another"),
    ],
)
def test_what_is_wrong_with_the_whole_is_said(policy, head, message):
    with pytest.raises(OptionError, match=message):
        policy("at_least = 0.7", head=head)


def test_a_policy_needs_criteria(tmp_path):
    path = tmp_path / "none.toml"
    path.write_text(HEAD, "utf-8")
    with pytest.raises(OptionError, match=r"must have at least one \[\[criteria\]\]"):
        policy_of(path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("wiliamson2012", "Did you mean 'williamson2012'.*Known: ctb2014, llm-judge"),
        ("nowhere.toml", "cannot read policy nowhere.toml"),
        (Path(), "unknown policy"),
    ],
)
def test_a_policy_that_is_not_there(given, message):
    with pytest.raises(OptionError, match=message):
        policy_of(given)


@pytest.mark.parametrize("name", packaged())
def test_no_two_criteria_of_ours_have_one_title(name):
    titles = [limit.title for limit in policy_of(name).limits]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("titled", ["", 'title = "Agreement"\n'])
def test_criteria_of_one_statistic_in_several_places_have_a_title_each(policy, titled):
    more = "".join(
        f'{titled}at_least = 0.6\n[[criteria]]\nstatistic = "qwk"\nwhere = "{where}"\n'
        for where in ("every prompt", "every trait", "every group")
    )
    titles = [limit.title for limit in policy(f"{more}{titled}at_least = 0.7").limits]
    start = "Agreement" if titled else titles[0]
    assert titles == [start, *(f"{start} in every {what}" for what in ("prompt", "trait", "group"))]


def test_two_criteria_under_one_title_are_refused(policy):
    again = 'at_least = 0.6\n[[criteria]]\nstatistic = "qwk"\nat_most = 0.9'
    with pytest.raises(OptionError, match=r"criteria 1 and 2 of .* have one title"):
        policy(again)


def limits_of(name):
    return {
        (limit.statistic, limit.where): (limit.at_least, limit.at_most)
        for limit in policy_of(name).limits
    }


def test_the_limits_that_wood_and_others_gather():
    # the table of limits that boards quote: QWK .70, degradation .10, |SMD| .15 and .10 by group,
    # SD ratio 2/3 to 1.5, loss of exact agreement .05
    assert limits_of("wood2021") == {
        ("cohen_kappa[quadratic]", "overall"): (0.70, None),
        ("degradation[cohen_kappa[quadratic]]", "overall"): (-0.10, None),
        ("smd[unpooled]", "overall"): (-0.15, 0.15),
        ("smd[unpooled]", "every group"): (-0.10, 0.10),
        ("sd_ratio", "overall"): (pytest.approx(2 / 3, abs=1e-4), 1.5),
        ("degradation[percent_agreement]", "overall"): (-0.05, None),
    }
    assert limits_of("ctb2014") == {
        ("smd[unpooled]", "overall"): (-0.12, 0.12),
        ("degradation[percent_agreement]", "overall"): (-0.05, None),
    }


@pytest.mark.parametrize("name", ["ctb2014", "wood2021"])
def test_what_is_quoted_says_from_where_and_that_it_is_second_hand(name):
    policy = policy_of(name)
    assert all("quoted by Wood et al. (2021)" in limit.source for limit in policy.limits)
    assert "second-hand" in policy.cautions[0]
