"""Options from a file."""

import json

import pytest


@pytest.fixture
def config(tmp_path):
    """``config("text")`` writes a file of options."""

    def write(text):
        path = tmp_path / "exam.toml"
        path.write_text(text, "utf-8")
        return path

    return write


def options_of(ended):
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["options"]


def test_a_file_holds_the_same_options_with_hyphens_or_underscores(run, scores, config):
    path = config(
        'human = "h1"\nsystem = ["engine"]\nscale = [1, 2, 3, 4]\nsystem_scale = "1:4"\n'
        'statistic = ["qwk"]\nreplicates = 150\nlevel = 0.9\ncross = true\nmissing = ["n/a"]\n'
    )
    options = options_of(run("evaluate", scores, "--config", path, "--json"))
    expected = {
        "humans": ["h1"], "systems": ["engine"], "scale": "1:4", "system_scale": "1:4",
        "statistics": ["qwk"], "replicates": 150, "level": 0.9, "cross": True, "missing": ["n/a"],
    }  # fmt: skip
    assert {key: options[key] for key in expected} == expected


def test_the_command_line_wins_over_the_file(run, scores, config):
    path = config('replicates = 150\nseed = 3\nstatistic = ["qwk", "bias"]\n')
    args = ["--config", path, "--seed", 4, "--statistic", "mae", "--json"]
    options = options_of(run("evaluate", scores, *args))
    assert (options["replicates"], options["seed"]) == (150, 4)
    assert options["statistics"] == ["mae"]


def test_systems_have_confidences_and_repeats_in_tables(run, config, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("h1,engine,sure,again,third\n" + "1,1,.9,1,2\n2,2,.5,2,2\n3,2,.4,3,3\n" * 5)
    file = config(
        'human = "h1"\nsystem = "engine"\nreplicates = 100\nstatistic = "exact"\n'
        'confidence = {engine = "sure"}\n[repeat]\nengine = ["again", "third"]\n'
    )
    options = options_of(run("evaluate", path, "--config", file, "--json"))
    assert options["confidences"] == {"engine": "sure"}
    assert options["repeats"] == {"engine": ["again", "third"]}


def test_single_prompts_have_options_of_their_own(run, config, tmp_path):
    path = tmp_path / "prompts.csv"
    path.write_text("prompt,h1,engine\n" + "essay 1,1,1\nessay 1,2,2\ntask,7,8\ntask,9,9\n" * 6)
    file = config(
        'scale = "1:2"\nreplicates = 100\nstatistic = "qwk"\n[prompts."task"]\nscale = "1:12"\n'
    )
    ended = run("evaluate", path, "--config", file, "--json")
    assert options_of(ended)["prompts"] == {"task": {"scale": "1:12"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('humen = "h1"', "unknown key 'humen'. Did you mean 'human'?"),
        ('level = "high"', "level in {path} must be a number, got 'high'"),
        ("replicates = 2.5", "replicates in {path} must be a whole number, got 2.5"),
        ("cross = 1", "cross in {path} must be true or false, got 1"),
        ("human = [1.5]", "human in {path} must be text in quotes or a list of them, got [1.5]"),
        ("gold = 3.5", "gold in {path} must be text in quotes, got 3.5"),
        ("gold = 3", "has no column '3' (asked for as --gold)"),
        ('confidence = "c"', "confidence in {path} must be a table such as"),
        ("scale = true", "scale in {path} must be text such as"),
        ("seed = true", "seed in {path} must be a whole number of 0 or more, got True"),
        ("prompts = 1", "prompts in {path} must be tables such as"),
        ("[prompts.a]\nscal = 1", "prompts.a in {path} has the unknown key 'scal'"),
        (
            '[prompts.a]\ntrim = "x"',
            "prompts.a.trim in {path} must be half-step, range, none or a number of steps, got 'x'",
        ),
        ("[prompts]\na = 1", "prompts.a in {path} must be a table such as"),
        ("config = 'x'", "unknown key 'config'"),
        (
            "[evidence]\n3.8 = 'x'",
            'evidence in {path}: a name with a dot stands in quotes there; write "3.8"',
        ),
        ("confidence = {gpt.4 = 'x'}", 'write "gpt.4" in place of gpt.4'),
        ("[prompts.1.5]\nscale = '1:6'", 'write "1.5" in place of 1.5'),
        ("human = ", "is not valid TOML"),
        ("level = 95", "level must lie between 0 and 1, got 95. Did you mean 0.95?"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(run, scores, config, text, message):
    path = config(text)
    ended = run("evaluate", scores, "--config", path)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert message.format(path=path) in ended.err


def test_a_file_that_is_not_there_is_named(run, scores, tmp_path):
    ended = run("evaluate", scores, "--config", tmp_path / "no.toml")
    assert ended.code == 2
    assert "cannot read --config" in ended.err


def test_no_file_is_found_by_itself(run, scores, config, monkeypatch, tmp_path):
    config("level = 2")
    monkeypatch.chdir(tmp_path)
    assert run("evaluate", "scores.csv", "--replicates", 100, "--statistic", "qwk").code == 0
