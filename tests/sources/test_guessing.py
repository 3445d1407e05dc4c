"""Roles that nobody named are guessed from column names, and what was guessed is said."""

import pytest

from tallymark.errors import DataError, ScaleError
from tallymark.sources import Roles, read_scores


def guessed(write, header: str, rows: int = 4, **columns: str):
    """Read a table whose columns hold 1 2 3 4, unless ``columns`` says otherwise."""
    names = header.split(",")
    lines = [
        ",".join(columns[name].split()[i] if name in columns else str(i % 4 + 1) for name in names)
        for i in range(rows)
    ]
    return read_scores(write("\n".join([header, *lines]) + "\n"), roles=Roles())


@pytest.mark.parametrize(
    ("header", "humans", "systems"),
    [
        ("human,system", ("human",), ("system",)),
        ("h1,h2,engine", ("h1", "h2"), ("engine",)),
        ("ID,human,system,human2", ("human", "human2"), ("system",)),
        ("rater1,rater2,model_a,model_b", ("rater1", "rater2"), ("model_a", "model_b")),
        ("Rater 1,Rater 2,AI score", ("Rater 1", "Rater 2"), ("AI score",)),
        ("expert_0,expert_1,llm", ("expert_0", "expert_1"), ("llm",)),
        ("score1,score2,prediction", ("score1", "score2"), ("prediction",)),
        ("sc1,prediction", ("sc1",), ("prediction",)),
        ("h1,score,h2", ("h1", "h2"), ("score",)),
        ("score,prediction", ("score",), ("prediction",)),
        ("r1,r2,gpt4,claude", ("r1", "r2"), ("gpt4", "claude")),
        ("human_score,machine_score", ("human_score",), ("machine_score",)),
    ],
)
def test_people_and_systems_are_known_by_name(write, header, humans, systems):
    roles = guessed(write, header).roles
    assert (roles.humans, roles.systems) == (humans, systems)


def test_a_gold_column_is_known_by_name(write):
    scores = guessed(write, "h1,h2,final_score,engine")
    assert (scores.roles.gold, scores.resolve) == ("final_score", "column")


def test_a_named_human_column_keeps_a_gold_from_being_guessed(write):
    path = write("h1,final,engine\n1,2,1\n2,1,2\n")
    assert read_scores(path, roles=Roles(humans=("h1",))).roles.gold is None


def test_people_are_guessed_beside_a_named_gold(write):
    path = write("h1,h2,label,engine\n1,2,1,1\n2,1,2,2\n")
    assert read_scores(path, roles=Roles(gold="label")).roles.humans == ("h1", "h2")


def test_keys_are_known_by_name(write):
    roles = guessed(
        write,
        "response_id,candidate,essay_set,trait,gender,L1,fold,h1,engine",
        candidate="a a b b",
        essay_set="x x y y",
        gender="f m f m",
        trait="s s t t",
        fold="1 1 2 2",
        L1="de de fr fr",
    ).roles
    assert (roles.id, roles.cluster, roles.prompt) == ("response_id", "candidate", "essay_set")
    assert (roles.trait, roles.groups, roles.fold) == ("trait", ("gender", "L1"), "fold")


def test_candidates_who_occur_once_are_no_clusters(write):
    assert guessed(write, "candidate,h1,engine", candidate="a b c d").roles.cluster is None


def test_a_different_prompt_in_every_row_is_no_prompt(write):
    assert guessed(write, "prompt,h1,engine", prompt="a b c d").roles.prompt is None


def test_confidences_belong_to_the_system_whose_name_they_carry(write):
    roles = guessed(write, "h1,engine,engine_confidence,chatbot,chatbot_conf").roles
    assert roles.systems == ("engine", "chatbot")
    assert roles.confidences == {"engine": "engine_confidence", "chatbot": "chatbot_conf"}


def test_a_lone_confidence_belongs_to_the_lone_system(write):
    assert guessed(write, "h1,engine,confidence").roles.confidences == {"engine": "confidence"}


def test_text_is_never_a_score(write):
    path = write("h1,system,engine\n1,GPT,1\n2,GPT,2\n")
    assert read_scores(path, roles=Roles()).roles.systems == ("engine",)


def test_a_few_texts_do_not_hide_a_column_of_scores(write):
    with pytest.raises(DataError, match="column 'engine'"):
        read_scores(write("h1,engine\n1,1\n2,n/a\n3,3\n"), roles=Roles())


def test_columns_outside_the_human_range_are_not_guessed_as_systems(write):
    path = write("h1,words,zeta\n1,250,1.1\n2,300,2\n4,90,4.2\n")
    scores = read_scores(path, roles=Roles())
    assert scores.roles.systems == ("zeta",)
    assert scores.facts.guesses[-1] == "system: zeta (numbers within the range of the human scores)"


def test_words_of_the_scale_are_scores(write):
    path = write("gender,h1,zeta\nf,pass,fail\nm,fail,fail\nf,fail,fail\nm,pass,pass\n")
    roles = read_scores(path, roles=Roles(), scale="fail,pass").roles
    assert (roles.humans, roles.systems, roles.groups) == (("h1",), ("zeta",), ("gender",))


def test_what_was_guessed_is_said_in_sentences(write):
    facts = guessed(write, "h1,h2,engine").facts
    assert facts.guesses == (
        "human: h1, h2 (from the column names)",
        "system: engine (from the column names)",
    )


def test_nothing_is_guessed_where_everything_is_named(write):
    roles = Roles(humans=("a",), systems=("b",))
    assert read_scores(write("a,b\n1,1\n2,2\n"), roles=roles).facts.guesses == ()


def test_no_human_score_names_the_option_and_the_columns(write):
    with pytest.raises(DataError, match=r"--human COLUMN \(its numeric columns are x, y\)"):
        read_scores(write("x,y\n1,1\n2,2\n"), roles=Roles())


def test_no_system_score_names_the_option_and_the_other_command(write):
    with pytest.raises(
        DataError, match=r"--system COLUMN .*no numeric column is left.*tallymark raters"
    ):
        read_scores(write("h1,h2\n1,1\n2,2\n"), roles=Roles())


# ---- real data


def test_essay_br_runs_without_options(shared):
    scores = read_scores(shared("data", "essay_br_llm", "scores.csv"), roles=Roles())
    assert len(scores.roles.systems) == 12
    assert (scores.roles.prompt, scores.roles.trait) == ("prompt", "competence")
    assert str(scores.rater_scale) == "0:200:40"
    assert scores.facts.missing["mistral24b_zero_shot"] == 5
    assert scores.facts.used == 3430


def test_rsmtool_examples_run_without_options(shared):
    path = shared("data", "rsmtool_examples", "asap2_system_two_raters.csv")
    scores = read_scores(path, roles=Roles())
    assert (scores.roles.humans, scores.roles.systems) == (("human", "human2"), ("system",))


def test_summeval_asks_for_a_system(shared):
    with pytest.raises(DataError, match="--system COLUMN"):
        read_scores(shared("data", "summeval_experts", "scores.csv"), roles=Roles())


def test_wmt_asks_for_a_system_then_for_its_scale(shared):
    path = shared("data", "wmt23_mqm_three_raters", "scores.csv")
    left = r"--system-scale LOW:HIGH. Numeric columns left: chrf \(0 to 100\), n_char \(1 to 1740\)"
    with pytest.raises(DataError, match=left):
        read_scores(path, roles=Roles())
    with pytest.raises(ScaleError, match="--system-scale 0:100"):
        read_scores(path, roles=Roles(systems=("chrf",)))
    scores = read_scores(path, roles=Roles(systems=("chrf",)), system_scale="0:100")
    assert scores.facts.layout == "slots"
    assert scores.facts.exclusions == (("no system score", 724),)


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("predictions_raw", 200),
        ("predictions_raw_with_flags", 200),
        ("predictions_scaled_with_subgroups", 200),
        ("predictions_scaled_with_subgroups_and_missing_scores", 200),
        ("train_predictions", 500),
    ],
)
def test_rsmtool_files_run_without_options(shared, name, used):
    path = shared("conformance", "rsmtool", "files", f"{name}.csv")
    assert read_scores(path, roles=Roles()).facts.used == used
