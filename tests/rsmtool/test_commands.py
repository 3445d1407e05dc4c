"""From the shell: rsmeval with our evaluation beside it, rsmcompare and rsmsummarize."""

import csv
import io
import json
import random

import pytest

import tallymark as tm
from tallymark.results import GOLD
from tallymark.rsmtool.rsmeval import run_rsmeval
from tests.rsmtool.conftest import SCORES, parsed


@pytest.fixture(scope="module")
def many():
    """Sixty responses of two grades, rated twice, and two systems."""
    rng = random.Random(4)
    rows = []
    for i in range(60):
        true = rng.gauss(3, 1)
        scores = [min(max(round(true + rng.gauss(0, 0.5)), 1), 5) for _ in range(2)]
        systems = [true + rng.gauss(0, spread) for spread in (0.5, 0.9)]
        rows.append([f"r{i}", *scores, *systems, "AB"[i % 2], 0, f"c{i % 20}"])
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["id", "h1", "h2", "score", "other", "grade", "flag", "who"])
    writer.writerows(rows)
    return text.getvalue()


FULL = {"trim_max": 5, "second_human_score_column": "h2", "subgroups": ["grade"]}


@pytest.fixture
def evaluated(configured, run, tmp_path, many):
    def evaluate(**changes):
        path = configured(scores=many, **{**FULL, **changes})
        folder = tmp_path / changes.get("experiment_id", "out")
        code, _, err = run("rsmeval", "run", path, folder)
        assert (code, err) == (0, "")
        return folder

    return evaluate


@pytest.fixture
def written(configured, tmp_path, many):
    """``written("old")`` is a folder with RSMTool's files alone."""

    def write(name, **changes):
        path = configured(**{"scores": many, **FULL, "experiment_id": name, **changes})
        folder = tmp_path / name / "output"
        folder.mkdir(parents=True)
        for file, content in run_rsmeval(path).files().items():
            (folder / file).write_bytes(content)
        return folder.parent

    return write


def test_both_evaluations_are_written(evaluated):
    folder = evaluated()
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"evaluation.json", "summary.txt", "exclusions.csv", "tables/estimates.csv"} <= names
    assert "report.html" in names
    assert {"output/small_eval.csv", "output/small_rsmeval.json"} <= names
    assert not any(name.endswith((".ols", ".pkl")) for name in names)


@pytest.mark.parametrize(("least", "code"), [(-0.99, 0), (0.99, 1)])
def test_a_policy_gives_rsmeval_a_verdict(configured, run, tmp_path, many, least, code):
    limits, page = tmp_path / "own.toml", tmp_path / "verdict.md"
    limits.write_text(
        f'name = "own"\nversion = "1"\n[[criteria]]\nstatistic = "bias"\nat_least = {3 * least}\n'
        f'decide = "point"\n[[criteria]]\nstatistic = "degradation[qwk]"\nat_least = {least}\n'
        'decide = "point"\n[[criteria]]\nstatistic = "dsm"\nwithin = 9\nwhere = "every group"\n'
        'decide = "point"\n',
        "utf-8",
    )
    path = configured(scores=many, **FULL)
    ended, out, err = run(
        "rsmeval", path, tmp_path / "out", "--policy", limits, "--gate", "--summary", page
    )
    assert (ended, err) == (code, "")
    state = "not met" if code else "met"
    assert out.startswith(f"Verdict: {state}")
    assert page.read_text("utf-8").startswith(f"## Verdict: {state}")
    found = tm.Evaluation.from_json((tmp_path / "out" / "evaluation.json").read_text("utf-8"))
    assert found.verdict is not None
    assert [c.lack for c in found.verdict.systems[0].criteria] == [None] * 3


def test_the_json_says_which_kind_of_score_a_number_is_of(evaluated, tmp_path):
    (tmp_path / "train.csv").write_text("prediction,sc1\n1,1\n3,3\n5,5\n", "utf-8")
    found = tm.Evaluation.from_json(
        (evaluated(scale_with="train.csv") / "evaluation.json").read_text()
    )
    assert found.kind == "rsmeval"
    kinds = {(e.text, e.score) for e in found.estimates if e.subset == 0}
    for text in ("lin_ccc", "pearson", "r2", "smd[unpooled]"):
        assert {score for name, score in kinds if name == text} == {
            "raw", "raw_trim", "raw_trim_round", "scale", "scale_trim", "scale_trim_round",
        }  # fmt: skip
    assert found.numbers[0]["lin_ccc"].score == "scale_trim"
    assert found.numbers[0]["percent_agreement"].score == "scale_trim_round"
    assert {subset.system for subset in found.subsets} >= {"score"}


def test_every_number_that_rsmtool_gives_has_an_interval(evaluated):
    found = tm.Evaluation.from_json((evaluated() / "evaluation.json").read_text())
    of = found.numbers[0]
    for text in ("percent_agreement", "cohen_kappa[identity]", "lin_ccc", "pearson", "r2", "rmse"):
        assert of[text].low < of[text].value < of[text].high
    people = {s.group: found.numbers[i] for i, s in enumerate(found.subsets) if s.system == "h2"}
    assert set(people) == {None, "A", "B"}
    for text in ("cohen_kappa[identity]", "smd[pooled]", "pearson", "percent_agreement"):
        assert people[None][text].low < people[None][text].high
    names = {e.name for e in found.estimates}
    assert {"prmse", "degradation", "disattenuated_r", "dsm", "osa", "osd", "csd"} <= names


def test_our_unrounded_numbers_are_those_of_the_files(evaluated):
    folder = evaluated()
    found = tm.Evaluation.from_json((folder / "evaluation.json").read_text())
    with (folder / "output" / "small_eval.csv").open() as file:
        row = {row[""]: row for row in csv.DictReader(file)}["raw_trim"]
    pairs = {
        "corr": "pearson",
        "wtkappa": "lin_ccc",
        "R2": "r2",
        "RMSE": "rmse",
        "SMD": "smd[unpooled]",
    }
    for name, text in pairs.items():
        assert float(row[name]) == pytest.approx(found.numbers[0][text].value)


def test_halves_are_rounded_up_in_ours_and_to_the_even_number_in_theirs(configured, run, tmp_path):
    scores = "".join(SCORES.splitlines(keepends=True)[:5])
    code, _, _ = run("rsmeval", configured(scores=scores), tmp_path / "out")
    assert code == 0
    found = tm.Evaluation.from_json((tmp_path / "out" / "evaluation.json").read_text())
    # 2.5 against a human 2
    assert found.numbers[0]["percent_agreement"].value == 0.5
    assert any("halves are rounded up" in note for note in found.data.notes)


def test_filters_are_counted_by_reason(configured, run, tmp_path):
    run("rsmeval", configured(candidate_column="who", min_items_per_candidate=2), tmp_path / "out")
    data = json.loads((tmp_path / "out" / "evaluation.json").read_text())["data"]
    assert dict(data["exclusions"]) == {
        "flag is not 0": 1,
        "text where a number belongs": 1,
        "zero human score": 1,
        "no system score": 1,
    }
    assert (data["read"], data["used"]) == (8, 4)


def test_human_scores_off_the_scale_widen_it_and_are_said(configured, run, tmp_path):
    code, out, _ = run(
        "rsmeval", configured(scores=SCORES.replace("r3,3", "r3,2.5")), tmp_path / "o"
    )
    assert code == 0
    assert "the scale 1:4:0.5 was taken" in " ".join(out.split())


def test_a_human_score_off_the_scale_of_a_response_left_out_does_no_harm(configured, run, tmp_path):
    scores = SCORES.replace("r7,2", "r7,9").replace("r8,3", "r8,99")
    code, out, _ = run("rsmeval", configured(scores=scores), tmp_path / "o")
    assert code == 0
    assert "the scale 1:9 was taken" in " ".join(out.split())


def test_results_are_not_written_over_without_leave(configured, run, tmp_path):
    path = configured()
    assert run("rsmeval", path, tmp_path / "out")[0] == 0
    code, _, err = run("rsmeval", path, tmp_path / "out")
    assert code == 2
    assert "already holds results" in err
    assert run("rsmeval", path, tmp_path / "out", "-f")[0] == 0


def test_the_same_configuration_gives_the_same_bytes(evaluated):
    first = evaluated(experiment_id="one") / "evaluation.json"
    assert first.read_text().replace("one", "two") == (
        evaluated(experiment_id="two") / "evaluation.json"
    ).read_text().replace("one", "two")


def test_rsmcompare_pairs_the_responses_that_two_experiments_share(written, run, tmp_path):
    old = written("old")
    new = written("new", system_score_column="other")
    code, out, err = run("rsmcompare", old, new, "--out", tmp_path / "both")
    assert (code, err) == (0, "")
    assert "old and new share 60 responses" in out
    found = tm.Evaluation.from_json((tmp_path / "both" / "evaluation.json").read_text())
    apart = {e.params["of"]: e for e in found.estimates if e.name == "paired_difference"}
    one, two = (
        found.numbers[i]["lin_ccc"] for i, s in enumerate(found.subsets) if s.against == GOLD
    )
    assert apart["lin_ccc"].value == pytest.approx(two.value - one.value)
    assert apart["lin_ccc"].low < apart["lin_ccc"].value < apart["lin_ccc"].high
    assert apart["lin_ccc"].n == 60
    # rows are human scores, as the label says
    matrix = found.matrices[0]
    assert (matrix.row_title, matrix.column_title) == ("human", "old")
    with (old / "output" / "old_confMatrix.csv").open() as file:
        rows = [[int(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]]
    assert [sum(row) for row in matrix.values] == [sum(row) for row in rows]


@pytest.mark.parametrize(("second", "twice"), [("full", 60), ("partial", 30), ("none", 0)])
def test_no_screen_denies_the_second_scores_that_experiments_have(
    written, run, tmp_path, many, second, twice
):
    rows = [row.split(",") for row in many.splitlines()]  # a heading and sixty responses
    if second == "partial":
        rows = [[*row[:2], "" if i % 2 else row[2], *row[3:]] for i, row in enumerate(rows)]
    changes: dict[str, str | None] = {"scores": "\n".join(map(",".join, rows))}
    if second == "none":
        changes["second_human_score_column"] = None
    old, new = written("old", **changes), written("new", system_score_column="other", **changes)
    denied = "no response was rated twice"
    for command in ("rsmcompare", "rsmsummarize"):
        code, out, err = run(command, old, new, "--out", tmp_path / command)
        assert (code, err) == (0, "")
        page = (tmp_path / command / "report.html").read_text("utf-8")
        assert not [text for text in (out, page) if denied in " ".join(text.lower().split())]
        assert ("PRMSE" in out) is (twice > 0)
    code, _, err = run("rsmeval", "run", tmp_path / "config.json", tmp_path / "evaluated")
    assert (code, err) == (0, "")
    for file in (tmp_path / "evaluated" / "output").glob("*_true_score_eval.csv"):
        assert parsed(file.read_text())["raw_trim"]["N multiple"] == str(twice)
    (page,) = (tmp_path / "evaluated").glob("**/report.html")
    said = " ".join(page.read_text("utf-8").lower().split())
    assert (denied in said or "only one person scored" in said) is (twice == 0)


def test_experiments_without_a_shared_response_have_no_paired_interval(written, run):
    old = written("old")
    new = written("new")
    file = new / "output" / "new_pred_processed.csv"
    file.write_text(file.read_text().replace("\nr", "\nq"))
    code, out, _ = run("rsmcompare", old, new, "--json")
    assert code == 0
    found = tm.Evaluation.from_json(out)
    apart = [e for e in found.estimates if e.name == "paired_difference"]
    assert {e.why for e in apart} == {
        "the experiments share no response, so that there is no paired interval"
    }


def test_rsmtools_configurations_of_comparisons_and_summaries_are_read(written, run, tmp_path):
    for name in ("old", "new"):
        written(name)
    fields = {f"experiment_{what}_{age}": age for what in ("id", "dir") for age in ("old", "new")}
    fields |= {"comparison_id": "c", "description_old": "", "description_new": ""}
    (tmp_path / "compare.json").write_text(json.dumps(fields), "utf-8")
    code, out, _ = run("rsmcompare", "run", tmp_path / "compare.json", tmp_path / "cmp")
    assert code == 0
    assert "new less old" in out
    assert "scale ." not in out
    less = out[out.index("new less old") :].splitlines()
    assert not any(line.startswith("adjacent ") and line.endswith(" -") for line in less)
    assert (tmp_path / "cmp" / "evaluation.json").exists()
    summary = {"summary_id": "s", "experiment_dirs": "old, new", "experiment_names": ["A", "B"]}
    (tmp_path / "summary.json").write_text(json.dumps(summary), "utf-8")
    code, out, _ = run("rsmsummarize", tmp_path / "summary.json")
    assert code == 0
    assert "A: 60 responses" in out
    assert "PRMSE" in out
    assert "less" not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rsmeval",), "takes a configuration and a folder, got 0 names"),
        (("rsmcompare",), "name the folders of experiments"),
        (("rsmcompare", "nowhere", "x"), "there is no folder nowhere"),
        (("rsmsummarize", "."), "does not hold an experiment"),
    ],
)
def test_names_that_lead_nowhere_are_told(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
