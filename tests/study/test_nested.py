"""Parts within parts are cut from one tally: nothing is read again, and their tallies add up."""

from functools import reduce
from itertools import groupby
from operator import add
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import find
from tallymark.sources import Roles, read_scores, readers, tables
from tallymark.study.measured import home
from tallymark.study.parts import parts_of
from tallymark.study.units import units_of


@pytest.fixture
def path(tmp_path):
    rng = np.random.default_rng(5)
    h1 = rng.integers(1, 5, 600)
    engine = np.clip(h1 + rng.integers(-1, 2, 600), 1, 4)
    rows = [
        f"{h},{e},p{i % 3},{'fm'[i * 7 % 5 % 2]},{'ns'[i * 11 % 7 % 2]}"
        for i, (h, e) in enumerate(zip(h1, engine, strict=True))
    ]
    written = tmp_path / "scores.csv"
    written.write_text("\n".join(["h1,engine,prompt,gender,region", *rows]) + "\n", "utf-8")
    return written


def test_prompts_groups_and_groups_in_prompts_take_no_more_queries(path, monkeypatch):
    asked = []
    described = tables.described

    def noted(name, run, **named):
        def counted(query):
            asked.append(query)
            return run(query)

        return described(name, counted, **named)

    monkeypatch.setattr(readers, "described", noted)
    named: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "scale": "1:4"}
    tm.evaluate(path, **named)
    plain = len(asked)
    asked.clear()
    tm.evaluate(path, **named, prompt="prompt", groups=["gender", "region"], cross=True)
    assert len(asked) == plain > 0


def parts(path):
    roles = Roles(humans=("h1",), systems=("engine",), prompt="prompt", groups=("gender", "region"))
    return list(parts_of(read_scores(path, roles=roles, scale="1:4"), cross=True))


def test_each_level_of_parts_has_every_pattern_once(path):
    every = parts(path)
    patterns = np.arange(every[0].rows.size)
    levels = [list(some) for _, some in groupby(every, key=lambda part: [*part.where])]
    assert [len(level) for level in levels] == [1, 3, 2, 6, 2, 6]
    for level in levels:
        assert (
            sorted(np.concatenate([np.flatnonzero(part.rows) for part in level]))
            == patterns.tolist()
        )


def test_tallies_of_parts_add_up_to_that_of_what_they_are_parts_of(path):
    whole, *rest = parts(path)

    qwk = find("qwk")

    def tally(part):
        return units_of(home(qwk), part.pairs("engine"), [qwk]).tally

    for keys in ({"prompt"}, {"group:gender"}, {"prompt", "group:gender"}):
        level = [part for part in rest if set(part.where) == keys]
        together = reduce(add, map(tally, level))
        assert qwk.value(together) == pytest.approx(qwk.value(tally(whole)), rel=1e-12)
