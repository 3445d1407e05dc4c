"""Every option of every command stands in the command and the file that ask for a report again."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

from tallymark.catalogue import find
from tallymark.cli.main import tallymark
from tallymark.results import Evaluation
from tallymark.study.again import command, toml
from tallymark.study.request import COMMANDS, fields_of
from tests.sources.workbooks import write_workbook

OUTPUTS = {"file", "out", "report", "as_json", "summary", "markdown_to", "full", "prompts"}
OUTPUTS |= {"gate", "allow_partial"}
"""What says where results go, and --config, whose options stand in the command themselves; and how
the command ends."""
SHARED = (
    "--scale 1:4 --level 0.9 --interval percentile --replicates 100 --seed 3 --cross --missing -"
)
KEYS = "--prompt essay --group gender --cluster who --fold fold --id id --exclude text"
WIDE = f"{SHARED} {KEYS} --human h1 --human h2"
GOLD = "--human h3 --system-scale 1:4 --resolve adjudicated --adjudication parity --adjacency 0.5"
FILTERS = (
    "--exclude-zero --flag flag=0,1 --candidate who --min-items 1 --statistic qwk --lambda 0.3 "
    "--trim range"
)
PLAIN = "--scale 1:4 --replicates 100 --human h1 --human h2 --where id>=2"
CASES = {
    "evaluate": [
        (
            f"{WIDE} {GOLD} {FILTERS} --system engine --confidence engine=sure "
            "--repeat engine=run1,run2 --runs majority --surest 0.2,0.6 --length words --probe-scores PROBES.csv"
        ),
        (
            f"{WIDE} --gold h3 --system engine --cut 2 --cut-model beta-binomial --error-variance 0.3 "
            "--small-group 4 --policy llm-judge --trait trait"
        ),
        f"{PLAIN} --system engine --weight weight --stratum flag --critical 2 --reference REFERENCE.csv",
        (
            f"{PLAIN} --system engine --count count --probabilities engine=p1,p2,p3,p4 "
            "--evidence 3.8=board"
        ),
        "--human passed --system judged --positive fail",
        "--human h1 --system engine --categories 1,2,3,4",
    ],
    "compare": [
        f"{WIDE} {GOLD} {FILTERS} --system engine --system other --by mae --test t",
        (
            f"{WIDE} --gold h3 --system engine --system other --trait trait --confidence engine=sure "
            "--probabilities engine=p1,p2,p3,p4"
        ),
        f"{PLAIN} --system engine --system other --weight weight --stratum flag --count count",
        f"{PLAIN} --system engine --system other --id id --probe-scores PROBES.csv",
        "--human passed --system judged --system checked --positive fail",
        "--human h1 --system engine --system other --categories 1,2,3,4",
    ],
    "raters": [
        f"{WIDE} --trait trait --batch week --severity mml",
        f"{PLAIN} --weight weight --stratum flag --count count",
        "--human h1 --human h2 --categories 1,2,3,4",
    ],
    "ceiling": [
        f"{WIDE} --trait trait --gold h3 --reference new=0.5",
        f"{PLAIN} --weight weight --stratum flag --count count",
    ],
    "whatif": [
        (
            f"--scale 1:4 --missing - {KEYS} --human h1 --human h2 {GOLD} --system engine --exchange "
            "1:3 --move 2:1=0.3 --prevalence 2=0.6 --errors 1.2 --limit 0.6 --level 0.9 --trim range "
            "--exclude-zero --flag flag=0,1 --candidate who --min-items 1 --policy llm-judge"
        ),
        "--scale 1:4 --gold h3 --system engine --trait trait --weight weight --stratum flag --where id>=2",
        "--scale 1:4 --human h1 --human h2 --system engine --count count",
    ],
    "route certify": [
        (
            "--human h1 --human h2 --system engine --confidence sure --prompt essay --group gender "
            "--id id --alpha 0.3 --delta 0.1 --lambda 0.3 --margin 0.2 --method ltt --by prompt "
            "--family sidak --seed 2 --scale 1:4 --system-scale 1:4 --missing - --exclude text "
            "--volume 500 --price human=2 --price label=3 --audit 0.1 --double --trim none"
        ),
        (
            "--gold h3 --system engine --repeat run1,run2 --confidence-from sd --cluster who "
            "--one-per-cluster --weigh clusters --scale 1:4 --dev-zero"
        ),
        (
            "--human h1 --human h2 --resolve higher --system engine --probabilities p1,p2,p3,p4 "
            "--alpha 0.4 --scale 1:4 --id id --pool POOL.csv"
        ),
        (
            "--human h1 --system fine --confidence-from boundary --alpha 0.4 --scale 1:4 --critical 2 "
            "--policy llm-judge --count count --where id>=2"
        ),
        (
            "--human h1 --system engine --vectors VECTORS.npy --train flag=1 --alpha 0.4 --scale 1:4 "
            "--id id"
        ),
        "--human h1 --system engine --confidence sure --alpha 0.4 --categories 1,2,3,4",
    ],
}
ELSEWHERE = {"baseline", "tally"}
"""A baseline prints the commands that ask for its report, and a tally is no report."""
OF_SOURCES = {"--sheet", "--records", "--engine", "--master", "--memory-limit", "--allow-network"}
"""Of workbooks, of files of JSON, of Spark, and of how a database reads."""
REFUSED = {"whatif": {"--categories"}}
"""What moves scores along a scale says that labels without order have none."""
LONG = "--response id --rater who --score score --scale 1:4 --replicates 100"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path, rng, n = tmp_path_factory.mktemp("scores"), np.random.default_rng(0), 48
    truth, at = rng.normal(2.5, 1, n), np.arange(n)

    def near():
        return np.clip(np.round(truth + rng.normal(0, 0.5, n)), 1, 4).astype(int)

    columns: dict[str, Any] = {
        name: near() for name in ("h1", "h2", "h3", "engine", "other", "run1", "run2")
    }
    columns |= {
        "fine": truth.clip(1, 4),
        "sure": rng.random(n),
        "essay": at % 2,
        "gender": at % 3,
        "trait": at // 4 % 2,
    }
    columns |= {"weight": 1 + at % 3, "count": 1 + at % 2, "words": 50 + 7 * at}
    columns |= {"id": at, "who": at // 2, "fold": at % 4, "flag": at % 2, "week": at // 12}
    columns |= {
        label: np.where(columns[name] > 2, "pass", "fail")
        for label, name in (("passed", "h1"), ("judged", "engine"), ("checked", "other"))
    }
    columns |= dict(zip(("p1", "p2", "p3", "p4"), rng.dirichlet(np.ones(4), n).T, strict=True))
    _write(path / "FILE.csv", columns)
    np.save(path / "VECTORS.npy", rng.normal(truth[:, None], 1, (n, 3)))
    _write(path / "TABLE.csv", {"human": [1, 2], "1": [20, 4], "2": [5, 19]})
    _write(path / "POOL.csv", columns | {"id": at + n})
    published = {"system": ["new"], "part": [""], "statistic": ["qwk"], "value": [0.8]}
    _write(path / "REFERENCE.csv", published)
    probes = {"id": at, "probe": ["empty"] * n, "engine": [1] * n, "other": [2] * n}
    _write(path / "PROBES.csv", probes)
    people = {"id": at, "h1": columns["h1"]}
    _write(path / "PEOPLE.csv", people)
    _write(path / "LABELS.csv", {"id": at, "l1": columns["h1"], "l2": columns["h2"]})
    _write(path / "PREDICTIONS.csv", {"id": at, "a": columns["engine"], "b": columns["other"]})
    names = ("h1", "h2", "engine", "other")
    long = {
        "id": np.tile(at, 4),
        "who": np.repeat(names, n),
        "score": np.concatenate([columns[name] for name in names]),
    }
    _write(path / "LONG.csv", long)
    return path


def _write(path, columns):
    lines = [
        ",".join(columns),
        *(",".join(map(str, r)) for r in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _cell(text):
    return text if text in ("pass", "fail") else float(text)


def _command(name):
    found: Any = tallymark
    for word in name.split():
        found = found.get_command(click.Context(tallymark), word)
    return found


def _parsed(name, words):
    usual = tallymark.context_settings
    with _command(name).make_context(name, list(words), obj={}, **usual) as context:
        given = {key: value for key, value in context.params.items() if key not in OUTPUTS}
    defaults = {key: field.default for key, field in fields_of(name).items()}
    return {key: defaults.get(key) if value is None else value for key, value in given.items()}


ENDLESS = re.compile(r"\b(POOL|PREDICTIONS|PROBES|REFERENCE|VECTORS|LABELS)(?=\"|$)", re.MULTILINE)
"""Files, of which a report tells the name without its ending."""


def _whole(name):
    return name[1] + (".npy" if name[1] == "VECTORS" else ".csv")


def _again(name, words):
    """The options of a command, and those of the command and of the file that its report gives."""
    found = CliRunner().invoke(tallymark, [*name.split(), *words, "--json"])
    assert found.exit_code in (0, 3), found.output
    evaluation = Evaluation.from_json(found.stdout)
    again = shlex.split(command(evaluation).replace("\\\n", " "))[1 + len(name.split()) :]
    again = [ENDLESS.sub(_whole, word) for word in again]
    options = Path("options.toml")
    options.write_text(ENDLESS.sub(_whole, toml(evaluation)), "utf-8")
    by_file = [words[0], "--config", str(options)]
    return _parsed(name, words), _parsed(name, [words[0], *again[1:]]), _parsed(name, by_file)


RUNS = [(name, words) for name, every in CASES.items() for words in every]
RUNS += [
    ("evaluate", f"LONG.csv {LONG} --system engine"),
    ("raters", f"LONG.csv {LONG} --human h1 --human h2"),
]
RUNS += [("ceiling", f"LONG.csv {LONG} --human h1 --human h2")]
RUNS += [("compare", f"LONG.csv {LONG} --system engine --system other")]
RUNS += [("evaluate", "TABLE.csv --table --gold final --system engine")]
RUNS += [("whatif", "TABLE.csv --table --human h --system engine")]
RUNS += [("whatif", "LONG.csv --response id --rater who --score score --scale 1:4 --system engine")]
RUNS += [(name, "TABLE.csv --table --human a --human b") for name in ("raters", "ceiling")]
JOINED = "PEOPLE.csv --human h1 --id id --predictions new=PREDICTIONS.csv --system a --system b --replicates 100"
RUNS += [("compare", JOINED)]
BESIDE = "--human-file LABELS.csv --id id --human l1 --human l2 --scale 1:4"
RUNS += [(name, f"FILE.csv {BESIDE}") for name in ("raters", "ceiling")]
RUNS += [(name, f"FILE.csv {BESIDE} --system engine") for name in ("evaluate", "whatif")]
RUNS += [("compare", f"FILE.csv {BESIDE} --system engine --system other")]
RUNS += [("route certify", f"FILE.csv {BESIDE} --system engine --confidence sure --alpha 0.5")]


@pytest.mark.parametrize(("name", "words"), RUNS)
def test_nothing_that_was_asked_is_lost(folder, monkeypatch, name, words):
    monkeypatch.chdir(folder)
    given = shlex.split(words)
    asked, *both = _again(name, given if given[0].endswith(".csv") else ["FILE.csv", *given])
    for again in both:
        _same(name, asked, again)


def _same(name, asked, again):
    for key, value in asked.items():
        if key == "by" and name == "compare":  # an alias is told by its full name
            labels = asked["categories"] or asked["positive"]  # which are ranked by plain kappa
            params = {"weights": "identity"} if labels else find(value).params
            assert find(again[key]).params == params
            assert find(again[key]).name == find(value).name
        elif key == "statistics":  # what systems are ranked by is computed too
            assert {*value} <= {*again[key]}
        elif value not in (None, (), {}):  # what was guessed stands there too
            assert (key, again[key]) == (key, value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("evaluate", "--human h1 --human h2 --system engine --replicates 100"),
        ("compare", "--human h1 --system engine --system other --replicates 100"),
        ("raters", "--human h1 --human h2 --replicates 100"),
        ("ceiling", "--human h1 --human h2 --replicates 100"),
        ("route certify", "--human h1 --system engine --confidence sure --alpha 0.4"),
    ],
)
def test_the_sheet_of_a_workbook_is_kept(folder, monkeypatch, name, words):
    monkeypatch.chdir(folder)
    rows = [line.split(",") for line in (folder / "FILE.csv").read_text("utf-8").splitlines()]
    scores = [rows[0], *([_cell(cell) for cell in row] for row in rows[1:])]
    write_workbook(folder / "FILE.xlsx", {"notes": [["read"], ["me"]], "scores": scores})
    given = ["FILE.xlsx", "--sheet", "scores", "--scale", "1:4", *words.split()]
    asked, *both = _again(name, given)
    assert [asked["sheet"], *(again["sheet"] for again in both)] == ["scores"] * 3


def test_the_path_to_records_is_kept(folder, monkeypatch):
    monkeypatch.chdir(folder)
    names, *rows = [
        line.split(",") for line in (folder / "FILE.csv").read_text("utf-8").splitlines()
    ]
    records = [dict(zip(names, map(_cell, row), strict=True)) for row in rows]
    (folder / "FILE.json").write_text(json.dumps({"results": {"items": records}}), "utf-8")
    given = "FILE.json --records results.items --scale 1:4 --human h1 --human h2 --system engine"
    asked, *both = _again("evaluate", given.split())
    assert [asked["records"], *(again["records"] for again in both)] == ["results.items"] * 3


def test_every_command_that_reads_options_from_a_file_is_tried():
    """Those are the commands that write a report; the others, plans among them, only answer."""
    flags = {name: {flag for p in _command(name).params for flag in p.opts} for name in COMMANDS}
    reading = {name for name in COMMANDS if "--config" in flags[name]}
    assert {name for name in reading - ELSEWHERE if not name.startswith("plan ")} == {*CASES}
    others = [flags[name] for name in COMMANDS if name not in CASES]
    assert not any("--report" in one or "--summary" in one for one in others)


@pytest.mark.parametrize("name", CASES)
def test_every_option_is_tried(name):
    tried = {
        flag for one, words in RUNS if one == name for flag in words.split() if flag[:2] == "--"
    }
    known = {field.flag for field in fields_of(name).values() if field.flag}
    assert known - OF_SOURCES - REFUSED.get(name, set()) <= tried
    others = {p.name for p in _command(name).params if p.expose_value} - {*fields_of(name)}
    assert others <= OUTPUTS
