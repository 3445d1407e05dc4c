"""route monitor: still valid, or an alarm."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.questions.routing.view import audits_section
from tallymark.render.terminal import section_lines
from tallymark.selective.monitor import e_detector, e_process
from tests.routing.data import by, responses, write

PLAIN: dict[str, Any] = {"system": "engine", "confidence": "sure", "scale": "1:6"}


@pytest.fixture(scope="module")
def certificate():
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    return tm.route.certify(responses(600, 1), **terms, **PLAIN).routing


def watched(columns, routing):
    """Critical errors of the accepted, in the order of the rows."""
    wrong = np.abs(np.array(columns["h1"]) - np.round(columns["engine"])) >= 2
    return wrong[routing.thresholds[0].accepts(np.array(columns["sure"]))].astype(int)


def test_audits_like_the_calibration_give_no_alarm(run, routing, tmp_path):
    file = write(tmp_path / "audit.csv", responses(400, 2, ids="A"))
    code, text = run("route", "monitor", routing, file)
    assert code == 0
    assert "Nothing speaks against the certificate" in text


def test_more_critical_errors_give_an_alarm(run, routing, tmp_path):
    file = write(tmp_path / "audit.csv", responses(400, 3, ids="A", worse=0.15))
    code, text = run("route", "monitor", routing, file)
    assert code == 1
    assert "Alarm: critical errors" in text


def test_it_watches_the_accepted_in_the_order_of_the_rows(certificate):
    columns = responses(400, 4, ids="A", worse=0.05)
    found = tm.route.monitor(certificate, columns)
    wrong = watched(columns, certificate)
    assert (found.audited, found.errors) == (wrong.size, wrong.sum())
    assert found.not_accepted == 400 - wrong.size
    assert found.since_start.alarm == e_process(wrong, 0.05).alarm
    assert found.lately.log_evidence == pytest.approx(e_detector(wrong, 0.05).log_evidence)


@pytest.mark.parametrize("kind", ["numbers", "dates"])
def test_a_column_may_give_the_order(certificate, kind):
    columns = responses(200, 5, ids="A", worse=0.1)
    order = np.random.default_rng(1).permutation(200)
    times = [
        f"2026-03-{1 + i // 10:02d} {i % 10}" if kind == "dates" else 7 * i for i in range(200)
    ]
    columns["when"] = times
    shuffled = {name: [values[i] for i in order] for name, values in columns.items()}
    expected = tm.route.monitor(certificate, columns)
    found = tm.route.monitor(certificate, shuffled, time="when")
    assert found.lately.log_evidence == pytest.approx(expected.lately.log_evidence)


def test_other_responses_give_an_alarm_without_an_error(certificate):
    columns = responses(500, 6, ids="A")
    columns["engine"] = columns["h1"]
    columns["sure"] = [0.75 + value / 5 for value in columns["sure"]]
    found = tm.route.monitor(certificate, columns)
    assert found.errors == 0
    assert not found.valid
    assert found.alarms[0] == "confidence"


def test_crc_watches_the_rate_among_the_accepted():
    terms: dict[str, Any] = {"alpha": 0.03, "lambda_": 0.4, "method": "crc"}
    routing = tm.route.certify(responses(600, 7), **terms, **PLAIN).routing
    found = tm.route.monitor(routing, responses(200, 8, ids="A"))
    assert found.rate == pytest.approx(0.03 / routing.thresholds[0].coverage)


def test_what_cannot_be_watched_is_refused(run, routing, calibration, tmp_path, certificate):
    code, text = run("route", "monitor", routing, calibration)
    assert code == 2
    assert "in the calibration" in text
    columns = responses(50, 9, ids="A")
    low = {**columns, "sure": [0.0] * 50}
    with pytest.raises(tm.DataError, match="none of 50 audited"):
        tm.route.monitor(certificate, low)
    nothing = write(tmp_path / "a.csv", {**columns, "h1": [None] * 50})
    code, text = run("route", "monitor", routing, nothing)
    assert code == 2
    code, text = run("route", "monitor", routing, nothing, "--time", "nowhere")
    assert code == 2


def test_days_before_years_do_not_sort_and_are_refused(certificate):
    columns = responses(50, 9, ids="A")
    columns["when"] = [f"{1 + i % 28:02d}.03.2026" for i in range(50)]
    with pytest.raises(tm.DataError, match=r"begin with year and month .*, got '01\.03\.2026'"):
        tm.route.monitor(certificate, columns, time="when")


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("ltt", "promised: 5 % at most"),
        ("crc", "is alpha, which counts submitted responses"),
        ("batch", "every response given counts as accepted"),
        ("dev_zero", "the bound as reported; not a guarantee"),
    ],
)
def test_only_what_was_promised_is_called_a_promise(method, words):
    terms: dict[str, Any] = dict(alpha=0.05, lambda_=0.4, **by(method))
    routing = tm.route.certify(responses(600, 1), **terms, **PLAIN).routing
    found = tm.route.monitor(routing, responses(300, 2, ids="A"))
    text = " ".join(
        "".join(line.text for line in section_lines([audits_section(found)], 500)).split()
    )
    assert words in text
    assert ("promised" in text) == (method in ("ltt", "batch"))


def test_evidence_beyond_reading_is_not_told_as_a_number(run, routing, tmp_path):
    file = write(tmp_path / "audit.csv", responses(400, 3, ids="A", worse=0.5))
    assert "since the start above 1,000,000 20 alarm" in run("route", "monitor", routing, file)[1]


def test_audits_of_one_candidate_are_told(certificate):
    columns = responses(300, 2, ids="A")
    assert tm.route.monitor(certificate, columns).clusters == 0
    columns["candidate"] = [f"K{i // 30}" for i in range(300)]
    found = tm.route.monitor(certificate, columns)
    assert found.clusters == 10
    text = " ".join(line.text for line in section_lines([audits_section(found)], 500))
    assert "audits come from 10 clusters" in text


def test_a_prompt_that_was_not_calibrated_is_not_watched(certificate):
    columns = responses(300, 2, ids="A")
    columns["prompt"] = ["poem" if i < 100 else name for i, name in enumerate(columns["prompt"])]
    late = {name: cells[100:] for name, cells in columns.items()}
    found, expected = (tm.route.monitor(certificate, given) for given in (columns, late))
    assert found.audited == expected.audited
    assert found.not_accepted == expected.not_accepted + 100


def test_a_file_that_accepts_nothing_leaves_nothing_to_watch():
    routing = tm.route.certify(responses(40, 7), alpha=0.01, lambda_=0.4, **PLAIN).routing
    with pytest.raises(tm.DataError, match="accepts nothing, so that no response stands alone"):
        tm.route.monitor(routing, responses(50, 8, ids="A"))
