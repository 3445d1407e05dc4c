"""Labels that come back on a drawn sheet: weighted everywhere, or refused with the reason."""

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tests.labels.drawn import COLUMN, SIZE, filled, judged, write

ROLES: dict[str, Any] = {"systems": [COLUMN], "scale": "1:5"}


def sheet_of(**more):
    columns, human = judged()
    sheet = tm.labels.draw(columns, **{"n": 150, "id": "id", "by": COLUMN, **more})
    return columns, human, sheet


def weights_of(columns, labels):
    """The weight and the stratum of each label, worked out from the judge's file alone."""
    judge = dict(zip(columns["id"], columns[COLUMN], strict=True))
    named = [name for name in labels if name.startswith("drawn_label")]
    given = [
        i for i, cells in enumerate(zip(*(labels[n] for n in named), strict=True)) if any(cells)
    ]
    stratum = np.array([judge[labels["id"][i]] for i in given])
    sizes, drawn = np.bincount([*judge.values()], minlength=6), np.bincount(stratum, minlength=6)
    return given, stratum, sizes[stratum] / drawn[stratum]


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_every_number_is_that_of_weights_and_strata_worked_out_by_hand(share):
    columns, human, sheet = sheet_of()
    labels = filled(sheet, human, share=share)
    found = tm.evaluate(columns, **ROLES, id="id", human_file=labels, groups=["lang"])
    given, stratum, weight = weights_of(columns, labels)
    judge = dict(
        zip(columns["id"], zip(columns[COLUMN], columns["lang"], strict=True), strict=True)
    )
    both = [judge[labels["id"][i]] for i in given]
    by_hand = {
        "h": [int(labels["drawn_label"][i]) for i in given],
        COLUMN: [score for score, _ in both],
        "lang": [lang for _, lang in both],
        "w": weight,
        "s": stratum,
    }
    same = tm.evaluate(by_hand, **ROLES, humans=["h"], weight="w", stratum="s", groups=["lang"])
    ours = {(e.subset, e.key): (e.value, e.low, e.high) for e in found.estimates}
    theirs = {(e.subset, e.key): (e.value, e.low, e.high) for e in same.estimates}
    assert ours.keys() == theirs.keys()
    assert len(ours) > 50
    for key, values in ours.items():
        assert values == pytest.approx(theirs[key], rel=1e-7, abs=1e-9, nan_ok=True), key
    agreed = np.array(by_hand["h"]) == np.array(by_hand[COLUMN])
    assert found["percent_agreement"].value == pytest.approx(weight @ agreed / weight.sum())
    assert found.data.weights is not None
    assert found.data.weights.total == pytest.approx(SIZE)


def naive_and_weighted(columns, labels):
    given, _, weight = weights_of(columns, labels)
    judge = dict(zip(columns["id"], columns[COLUMN], strict=True))
    apart = np.array([judge[labels["id"][i]] - float(labels["drawn_label"][i]) for i in given])
    return (apart**2).mean(), weight @ apart**2 / weight.sum()


COMMANDS: dict[str, Any] = {
    "evaluate": lambda file, human: tm.evaluate(file, **ROLES, human_file=human),
    "compare": lambda file, human: tm.compare(
        {**file, "other": file[COLUMN][::-1]},
        systems=[COLUMN, "other"], scale="1:5", human_file=human, statistics=["mse"],
    ),
    "whatif": lambda file, human: tm.whatif(file, **ROLES, human_file=human),
    "certify": lambda file, human: tm.route.certify(
        file, system=COLUMN, scale="1:5", confidence="sure", human_file=human, alpha=0.4
    ),
    "width": lambda file, human: tm.plan.width(file, **ROLES, human_file=human, half_width=0.05),
    "settle": lambda file, human: tm.plan.settle(file, **ROLES, human_file=human, at_least=0.5),
}  # fmt: skip
NO = ("certify", "width", "settle")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_a_number_of_the_labels_alone(command):
    columns, human, sheet = sheet_of()
    labels = filled(sheet, human)
    naive, weighted = naive_and_weighted(columns, labels)
    assert abs(naive - weighted) > 0.05
    if command in NO:
        with pytest.raises(OptionError, match="have weights"):
            COMMANDS[command](columns, labels)
        return
    found = COMMANDS[command](columns, labels)
    errors = [e.value for e in found.estimates if e.key == "mse"]
    kappas = [e.value for e in found.estimates if e.key == "cohen_kappa[quadratic]"]
    if errors:
        assert weighted == pytest.approx(errors[0], rel=1e-9)
    alone = tm.evaluate(columns, **ROLES, human_file=labels)["qwk"].value
    assert command == "compare" or alone == pytest.approx(kappas[0], rel=1e-9)


@pytest.mark.parametrize("name", ["raters", "ceiling"])
def test_people_are_weighted_too(name):
    columns, human, sheet = sheet_of(raters=2)
    labels = filled(sheet, human)
    found = getattr(tm, name)(columns, human_file=labels, scale="1:5")
    first, second = (np.array(labels[f"drawn_label_{i}"], float) for i in (1, 2))
    _, _, weight = weights_of(columns, labels)
    rated = [e for e in found.estimates if e.key == "percent_agreement"]
    agreed = weight @ (first == second) / weight.sum()
    assert not rated or any(e.value == pytest.approx(agreed, rel=1e-9) for e in rated)
    assert found.data.weights is not None
    assert "label_1" in str(found.options["humans"])


@pytest.mark.parametrize("command", ["evaluate", "raters", "ceiling", "baseline", "tally"])
def test_a_sheet_in_the_place_of_scores_is_refused(command, tmp_path, run):
    _, human, sheet = sheet_of(raters=2)
    file = write(tmp_path / "sheet.csv", filled(sheet, human))
    people = ("--human", "drawn_label_1", "--human", "drawn_label_2")
    more = {"tally": ("--out", "t.csv"), "baseline": ("--text", "id")}.get(command, ())
    ended = run(command, str(file), *people, *more)
    assert (ended.code, "is a sheet that was drawn" in ended.err) == (2, True)


def changed(labels, how):
    if how == "no codes":
        return {name: values for name, values in labels.items() if name != "draw_code"}
    if how == "empty codes":
        return {**labels, "draw_code": [""] * len(labels["id"])}
    if how == "sorted ids":
        return {**labels, "id": sorted(labels["id"])}
    if how == "two draws":
        _, human, other = sheet_of(seed=9, n=40)
        rest = filled(other, human)
        new = [i for i, key in enumerate(rest["id"]) if key not in labels["id"]]
        return {name: [*labels[name], *(rest[name][i] for i in new)] for name in labels}
    return {**labels, "drawn_label": [""] * len(labels["id"])}


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("no codes", "its column 'draw_code' is gone, which holds the weights"),
        ("empty codes", "its column 'draw_code' is empty"),
        ("sorted ids", "is not that of the response 'r0"),
        ("two draws", "holds rows of two draws"),
        ("no labels", "has no label; fill in the column 'drawn_label'"),
    ],
)
def test_a_sheet_that_lost_its_weights_is_refused(how, words):
    columns, human, sheet = sheet_of()
    with pytest.raises(DataError, match=words):
        tm.evaluate(columns, **ROLES, human_file=changed(filled(sheet, human), how))


def test_a_stratum_without_labels_is_refused_and_weights_are_not_given_twice():
    columns, human, sheet = sheet_of()
    labels = filled(sheet, human)
    judge = dict(zip(columns["id"], columns[COLUMN], strict=True))
    kept = [
        label if judge[key] != 1 else ""
        for key, label in zip(labels["id"], labels["drawn_label"], strict=True)
    ]
    with pytest.raises(DataError, match=r"1 of 5 strata have no label, so that nothing speaks for"):
        tm.evaluate(columns, **ROLES, human_file={**labels, "drawn_label": kept})
    with pytest.raises(
        OptionError, match=r"brings weights and strata with its codes: leave out weight="
    ):
        tm.evaluate(columns, **ROLES, human_file=labels, weight="sure")


def test_a_sheet_that_a_spreadsheet_saved_gives_the_same(tmp_path):
    """Semicolons, a byte order mark, other order, an added row and column, blank lines at the end."""
    columns, human, sheet = sheet_of(show=["answer"])
    labels = filled(sheet, human, share=0.8)
    whole = tm.evaluate(columns, **ROLES, human_file=labels)
    order = np.random.default_rng(3).permutation(150)
    rows = [[values[i] for values in labels.values()] for i in order]
    rows = [[*row, "a note; with sign"] for row in rows]
    rows.append(["r9999", "mine", "3", "", ""])
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows([[*labels, "remark"], *rows])
    saved = tmp_path / "saved.csv"
    saved.write_bytes(b"\xef\xbb\xbf" + text.getvalue().encode())
    found = tm.evaluate(columns, **ROLES, human_file=saved)
    assert repr(found.estimates) == repr(whole.estimates)
    assert any("1 row left out, as they have no draw_code" in note for note in found.data.notes)


def test_a_draw_without_strata_has_no_weights_and_may_certify():
    columns, human, sheet = sheet_of(by=[])
    labels = filled(sheet, human, share=0.7)
    found = tm.evaluate(columns, **ROLES, human_file=labels)
    assert found.data.weights is not None
    assert found.data.weights.worth == found.data.weights.n
    assert COMMANDS["certify"](columns, labels).evaluation.kind == "route"


def test_the_command_to_ask_again_gives_the_same(tmp_path, run):
    import shlex

    from tallymark.results import Evaluation
    from tallymark.study.again import command

    columns, human, sheet = sheet_of()
    file = write(tmp_path / "judge.csv", columns)
    labels = write(tmp_path / "sheet.csv", filled(sheet, human))
    asked = ("evaluate", file, "--human-file", labels, "--system", COLUMN, "--scale", "1:5")
    first = run(*asked, "--json")
    again = command(Evaluation.from_json(first.out)).replace("\\\n", " ")
    words = shlex.split(again.replace("FILE", str(file), 1).replace("LABELS", str(labels)))
    assert run(*words[1:], "--json").out == first.out


def test_a_word_off_the_scale_is_found_by_its_id_in_the_sheet_that_holds_it(tmp_path):
    columns, human, sheet = sheet_of()
    labels = filled(sheet, human)
    labels["drawn_label"][7] = "dunno"
    saved = write(tmp_path / "sheet.csv", labels)
    said = f"'label' of sheet.csv holds text in 1 row, first 'dunno' at id '{labels['id'][7]}'"
    with pytest.raises(DataError, match=said):
        tm.evaluate(columns, systems=[COLUMN], human_file=saved)


@pytest.mark.parametrize("letters", ["CPI", "cpi"])
def test_letters_of_people_are_the_numbers_that_an_inspect_log_has_for_them(letters):
    log = Path(__file__).parents[1] / "sources" / "judges" / "files" / "apart.eval"
    ids = [f"q0{i} epoch {epoch}" for i in range(6) for epoch in (1, 2)]
    words = {"id": ids, "label": [letters[i % 3] for i in range(12)]}
    numbers = {"id": ids, "label": [(1, 0.5, 0)[i % 3] for i in range(12)]}
    found = [tm.evaluate(log, human_file=people).estimates for people in (words, numbers)]
    assert repr(found[0]) == repr(found[1])
