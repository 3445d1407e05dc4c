"""Every form of labels goes through every command, with the numbers of scikit-learn."""

import csv
import json

import numpy as np
import pytest
from sklearn import metrics as sk

import tallymark as tm
from tallymark.cli.main import main
from tests.classes.forms import FORMS, responses

pd = pytest.importorskip("pandas")


def places(column, labels):
    """The place of every label, as the form orders them."""
    known = {str(word): i for i, label in enumerate(labels) for word in label}
    return np.array([known[str(value)] for value in column])


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet", "json"])
@pytest.mark.parametrize("form", FORMS)
def test_evaluate(form, kind, tmp_path):
    made = FORMS[form]
    frame = responses(made)
    source = saved(frame, kind, tmp_path)
    found = tm.evaluate(source, humans=["human1", "human2"], systems=["judge"], **made.asked)
    gold, given = (places(frame[name], made.labels) for name in ("human1", "judge"))
    expected = {
        "percent_agreement": sk.accuracy_score(gold, given),
        "cohen_kappa[identity]": sk.cohen_kappa_score(gold, given),
    }
    if len(made.labels) == 2 and "categories" not in made.asked:
        expected |= {
            "sensitivity": sk.recall_score(gold, given),
            "specificity": sk.recall_score(gold, given, pos_label=0),
            "precision": sk.precision_score(gold, given),
            "f1": sk.f1_score(gold, given),
            "mcc": sk.matthews_corrcoef(gold, given),
        }
    if "categories" in made.asked:
        recalls = sk.recall_score(gold, given, average=None)
        expected |= {
            f"class_recall[{label[0]}]": recall
            for label, recall in zip(made.labels, recalls, strict=True)
        }
        expected |= {"macro_f1": sk.f1_score(gold, given, average="macro")}
    elif len(made.labels) > 2:
        expected["cohen_kappa[quadratic]"] = sk.cohen_kappa_score(
            gold, given, weights="quadratic", labels=range(len(made.labels))
        )
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value), name
        assert found[name].low < value < found[name].high, name


@pytest.mark.parametrize("form", FORMS)
def test_raters(form):
    made = FORMS[form]
    frame = responses(made)
    asked = {key: value for key, value in made.asked.items() if key != "positive"}
    found = tm.raters(frame, humans=["human1", "human2"], **asked)
    first, second = (places(frame[name], made.labels) for name in ("human1", "human2"))
    ordered = len(made.labels) > 2 and "categories" not in made.asked
    weights = "quadratic" if ordered else "identity"
    pairs = [e for e in found.estimates if e.text == f"cohen_kappa[{weights}]"]
    kappa = sk.cohen_kappa_score(first, second, weights="quadratic" if ordered else None)
    assert pairs[0].value == pytest.approx(kappa)
    agreed = [e for e in found.estimates if e.text == "percent_agreement"]
    assert agreed[0].value == pytest.approx(sk.accuracy_score(first, second))


@pytest.mark.parametrize("form", FORMS)
def test_compare(form):
    made = FORMS[form]
    frame = responses(made)
    found = tm.compare(
        frame, humans=["human1"], systems=["judge", "other"], by="kappa", **made.asked
    )
    gold = places(frame["human1"], made.labels)
    kappas = [
        sk.cohen_kappa_score(gold, places(frame[name], made.labels)) for name in ("judge", "other")
    ]
    apart = [e for e in found.estimates if e.text == "paired_difference[cohen_kappa[identity]]"]
    assert abs(apart[0].value) == pytest.approx(abs(kappas[0] - kappas[1]))


@pytest.mark.parametrize("form", [form for form in FORMS if form != "turned"])
def test_route(form, tmp_path, capsys):
    made = FORMS[form]
    frame = responses(made)
    frame.to_csv(tmp_path / "scores.csv", index=False)
    options = [f"--{key}={','.join(value)}" for key, value in made.asked.items()]
    critical = [] if "categories" in made.asked else ["--critical", "1"]
    with pytest.raises(SystemExit) as ended:
        main(
            ["route", "certify", str(tmp_path / "scores.csv"), "--human", "human1", "--system",
             "judge", "--confidence", "sure", "--alpha", "0.9", "--json", *critical, *options]
        )  # fmt: skip
    assert ended.value.code == 0
    found = tm.Evaluation.from_json(capsys.readouterr().out)
    wrong = int((places(frame["human1"], made.labels) != places(frame["judge"], made.labels)).sum())
    (table,) = [t for t in found.tables if t.name == "routing"]
    assert table.records()[0]["critical errors"] == wrong


def saved(frame, kind, folder):
    """The frame itself, or a file of it."""
    path = folder / f"scores.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False, quoting=csv.QUOTE_MINIMAL)
    elif kind == "parquet":
        frame.to_parquet(path)
    elif kind == "json":
        path.write_text(json.dumps(frame.astype(object).to_dict("records")), "utf-8")
    return frame if kind == "frame" else path
