"""The responses with the greatest differences, found again by their ids."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tallymark.sources import Roles, open_scores
from tallymark.study.worst import list_worst

ROLES = Roles(humans=("h1", "h2"), systems=("engine", "other"), prompt="prompt", id="id")


def frame(n=300, seed=4):
    rng = np.random.default_rng(seed)
    h1 = rng.integers(1, 7, n)
    return pd.DataFrame(
        {
            "id": [f"R{i:03d}" for i in range(n)],
            "prompt": rng.choice(["a", "b'; DROP"], n),
            "h1": h1,
            "h2": np.where(rng.random(n) < 0.3, np.nan, np.clip(h1 + rng.integers(-1, 2, n), 1, 6)),
            "engine": np.clip(h1 + rng.integers(-2, 3, n), 1, 6),
            "other": np.round(rng.uniform(1, 6, n), 2),
            "gender": rng.choice(["f", "m"], n),
        }
    )


def worst(data, named="ids", **options):
    with open_scores(data, scale="1:6", **options) as opened:
        return list_worst(opened.responses, named)[0]


def by_hand(data, system, gold, most=200):
    """Ids and differences with pandas alone."""
    apart = (data[system] - gold).abs()
    order = data.assign(apart=apart, gold=gold)[apart > 0]
    order = order.sort_values(["apart"], ascending=False, kind="stable").head(most)
    return order.apart.to_numpy(), dict(zip(order.id, order.apart, strict=True))


def listed(found, system, most=200):
    return [one for one in found[system] if one.size > 0][:most]


@pytest.mark.parametrize("system", ["engine", "other"])
def test_the_greatest_differences(system):
    data = frame()
    scores = worst(data, roles=ROLES)
    sizes, _ = by_hand(data, system, data.h1)
    found = listed(scores, system)[: sizes.size]
    assert [one.size * 5 for one in found] == pytest.approx(sizes)
    rows = data.set_index("id")
    for one in found:
        assert one.gold == rows.h1[one.id]
        assert one.score == rows[system][one.id]
        assert one.prompt == rows.prompt[one.id]
        assert one.row is None


@pytest.mark.parametrize("kind", ["csv", "parquet", "polars", "mapping"])
def test_any_source_and_any_order_of_rows(kind, tmp_path):
    data = frame()
    first = worst(data, roles=ROLES)
    mixed = data.sample(frac=1, random_state=1)
    path = tmp_path / f"scores.{kind}"
    if kind == "csv":
        mixed.to_csv(path, index=False)
    elif kind == "parquet":
        mixed.to_parquet(path)
    source = {"polars": pl.from_pandas(mixed), "mapping": mixed.to_dict("list")}.get(kind, path)
    if kind == "mapping":
        source["h2"] = [None if np.isnan(value) else value for value in source["h2"]]
    assert worst(source, roles=ROLES) == first


def test_the_gold_as_it_was_resolved_and_the_score_as_it_was_trimmed():
    data = frame().dropna()
    data.loc[data.index[0], "other"] = 9.0
    scores = worst(data, roles=ROLES, resolve="mean")
    gold = (data.h1 + data.h2) / 2
    sizes, ids = by_hand(data.assign(other=data.other.clip(upper=6.4998)), "other", gold, most=50)
    found = listed(scores, "other", 50)
    assert [one.size * 5 for one in found] == pytest.approx(sizes, abs=0.3)  # trim: .4998 steps
    assert set(ids) >= {one.id for one in found[:20]}


def test_long_tables_name_the_response():
    data = frame(60)
    long = data.melt(["id", "prompt"], ["h1", "h2", "engine"], "rater", "score").dropna()
    roles = Roles(response="id", rater="rater", score="score", systems=("engine",), prompt="prompt")
    scores = worst(long, roles=roles, resolve="first")
    _, ids = by_hand(data, "engine", data.h1)
    assert {one.id for one in listed(scores, "engine")} == set(ids)


def test_rows_are_numbered_where_there_is_no_id():
    data = frame(50).drop(columns="id")
    roles = Roles(humans=("h1",), systems=("engine",))
    assert worst(data, roles=roles) == {}
    found = worst(data, "rows", roles=roles)["engine"]
    for one in found:
        assert one.id is None
        assert one.row is not None
        assert data.h1.iloc[one.row - 1] == one.gold
        assert data.engine.iloc[one.row - 1] == one.score


def test_responses_that_are_not_used_are_not_listed():
    data = frame(50)
    data.loc[0, ["h1", "engine"]] = [1, 6]
    data["keep"] = "yes"
    data.loc[0, "keep"] = "no"
    again = data.iloc[[0]].assign(id="R900", keep="yes")
    data = pd.concat([data, again], ignore_index=True)
    scores = worst(data, roles=ROLES, flags={"keep": ["yes"]})
    found = {one.id for one in scores["engine"]}
    assert "R900" in found
    assert "R000" not in found


def test_a_perfect_system_has_no_differences():
    data = frame(40).assign(engine=lambda d: d.h1)
    scores = worst(data, roles=ROLES)
    assert all(one.size == 0 for one in scores["engine"])
