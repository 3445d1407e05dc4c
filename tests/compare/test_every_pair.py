"""Every pair of systems has its p-value, by the test that was asked for, and names are in natural order."""

from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tallymark.sources.roles import natural

QUICK: dict[str, Any] = {"scale": "1:5", "statistics": ["qwk"], "replicates": 100, "humans": ["h1"]}


def columns(systems, n=60, seed=1, prompts=0):
    rng = np.random.default_rng([seed, systems])
    true = rng.normal(3, 1.2, n)

    def score(noise):
        return np.clip(np.rint(true + rng.normal(0, noise, n)), 1, 5).tolist()

    made = {"h1": score(0.4)} | {f"s{i + 1}": score(0.3 + 0.08 * i) for i in range(systems)}
    return made | ({"prompt": [f"p{i % prompts + 1}" for i in range(n)]} if prompts else {})


def compared(systems, **asked):
    names = [f"s{i + 1}" for i in range(systems)]
    return tm.compare(columns(systems), systems=names, **{**QUICK, **asked})


def rows(found):
    table = next(table for table in found.tables if table.name == "pairs")
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.mark.parametrize("systems", [2, 3, 6, 11, 14])
def test_every_pair_has_its_p_value_and_the_adjusted_one_is_holms(systems):
    pairs = rows(compared(systems))
    names = [f"s{i + 1}" for i in range(systems)]
    assert {(row["system"], row["against"]) for row in pairs} == set(combinations(names, 2))
    plain = sorted(row["p"] for row in pairs)
    left = [min(1.0, p * (len(plain) - i)) for i, p in enumerate(plain)]
    holm = np.maximum.accumulate(left)
    assert sorted(row["p_holm"] for row in pairs) == pytest.approx(holm.tolist(), abs=1e-12)


@pytest.mark.parametrize("systems", [4, 11, 14])
def test_the_page_shows_the_p_value_of_every_pair(systems):
    found = compared(systems)
    page = found.to_html()
    start = page.find("adjusted p against each that ranks below it")
    if systems * (systems - 1) // 2 <= 45:
        assert start < 0  # the table of pairs has them all
        return
    table = page[start : page.index("</table>", start)]
    order = [row[0] for row in next(t for t in found.tables if t.name == "ranking").rows]
    for i, system in enumerate(order[:-1]):
        row = table[table.index(f">{system}<") :]
        row = row[: row.index("</tr>")]
        for other in order[i + 1 :]:
            assert f"{other} " in row
    assert table.count("<tr") == systems - 1  # the last has none below it


def test_permutation_can_be_forced_and_so_can_t():
    many = compared(11, test="permutation")
    assert {row["test"].partition(",")[0] for row in rows(many)} == {"studentised permutation test"}
    assert {row["test"] for row in rows(compared(11))} == {"paired t test"}
    assert {row["test"] for row in rows(compared(2, test="t"))} == {"paired t test"}
    assert many.options["test"] == "permutation"


def test_a_test_that_is_forced_finds_what_it_finds_among_few():
    """The same pair, tested by permutation on its own and where nothing chose the test."""
    forced = rows(compared(3, test="permutation"))
    assert forced == rows(compared(3))


def test_what_cannot_be_permuted_is_refused():
    with pytest.raises(OptionError, match="kendall_tau_b cannot be tested by permutation"):
        compared(2, by="kendall_tau_b", test="permutation")
    weighted = columns(2) | {"w": [1.0, 2.0] * 30}
    with pytest.raises(OptionError, match="takes responses for exchangeable"):
        tm.compare(weighted, systems=["s1", "s2"], weight="w", test="permutation", **QUICK)
    with pytest.raises(OptionError, match="must be one of auto, permutation, t"):
        compared(2, test="wilcoxon")


@pytest.mark.parametrize("seed", range(8))
def test_names_are_counted_as_people_count(seed):
    rng = np.random.default_rng(seed)
    numbers = rng.permutation(10 ** rng.integers(1, 4, 20) + rng.integers(0, 9, 20)).tolist()
    names = [f"prompt {number}" for number in dict.fromkeys(numbers)]
    ordered = sorted(names, key=natural)
    assert all(int(a.split()[1]) < int(b.split()[1]) for a, b in pairwise(ordered))
    longest = sorted(["x", "1" + "0" * 6000, "9" * 6000], key=natural)
    assert [len(name) for name in longest] == [6000, 6001, 1]


def test_any_names_have_an_order_also_where_a_number_continues_another():
    parts = ["", "copy", "2", "10", " ", "x"]
    names = {"".join(name) for size in (1, 2, 3) for name in product(parts, repeat=size)}
    ordered = sorted(names, key=natural)
    assert len(ordered) == len(names)
    assert ordered.index("copy") < ordered.index("copy2") < ordered.index("copy10")


def test_a_system_that_is_called_as_another_with_a_number_is_compared_with_its_twin():
    made = columns(1)
    made = {"h1": made["h1"], "copy2": made["h1"], "copy": made["h1"]}
    found = tm.compare(made, systems=["copy2", "copy"], **QUICK)
    assert [row[0] for row in found.table("ranking").rows] == ["copy", "copy2"]


@pytest.mark.parametrize("column", ["prompt", "trait", "fold", "group"])
def test_parts_of_the_data_come_in_natural_order(column):
    made = columns(2, n=240, prompts=12)
    asked: dict[str, Any] = {"groups": ["prompt"]} if column == "group" else {column: "prompt"}
    found = tm.evaluate(made, systems=["s1"], **QUICK, **asked)
    parts = [s.group if column == "group" else getattr(s, column) for s in found.subsets]
    assert [part for part in parts if part] == [f"p{i + 1}" for i in range(12)]


def test_systems_that_tie_are_ranked_in_natural_order():
    made = columns(1)
    made = {"h1": made["h1"], **{f"s{i}": made["s1"] for i in (10, 2, 1)}}
    found = tm.compare(made, systems=["s10", "s2", "s1"], **QUICK)
    ranking = next(table for table in found.tables if table.name == "ranking")
    assert [row[0] for row in ranking.rows] == ["s1", "s2", "s10"]
