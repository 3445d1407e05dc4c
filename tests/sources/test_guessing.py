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


def notes_of(path, **roles) -> tuple[str, ...]:
    return read_scores(path, roles=Roles(**roles)).facts.notes


@pytest.mark.parametrize(
    ("text", "hint"), [("3,5", ". Write decimals with a point, not a comma"), ("3/5", "")]
)
def test_columns_named_like_scores_that_are_left_out_are_named_with_the_reason(write, text, hint):
    rows = "".join(f'{i % 4},{i % 3},"{text if i % 3 else 2}",{i % 4}\n' for i in range(12))
    path = write(f"h1,h2,engine_b,engine_a\n{rows}")
    note = f"engine_b looks like a system score but is not used: 8 of 12 cells are not numbers, such as {text!r}{hint}"
    assert note in notes_of(path)
    assert notes_of(path, systems=("engine_a",)) == ()


def test_a_rater_without_scores_is_named(write):
    assert "h2 looks like a human score but is not used: it is empty" in notes_of(
        write("h1,h2,engine\n1,,1\n2,,2\n")
    )


def test_a_second_gold_is_named(write):
    notes = notes_of(write("gold,final_score,engine\n1,1,1\n2,2,2\n"))
    assert notes[0].startswith("final_score looks like a gold but is not used: another column")


def test_names_of_systems_are_no_scores(write):
    assert notes_of(write("h1,pred,system\n1,1,a\n2,2,b\n")) == ()


def test_a_confidence_is_not_given_to_another_system(write):
    rows = "".join(f'{i % 4},"3,5",{i % 4},.{i % 9}\n' for i in range(12))
    scores = read_scores(write(f"h1,engine,pred,conf\n{rows}"), roles=Roles())
    assert scores.roles.systems == ("pred",)
    assert scores.roles.confidences == {}
    assert any("not clear of which system: conf" in note for note in scores.facts.notes)


def test_the_only_column_that_could_be_a_system_says_why_it_cannot(write):
    with pytest.raises(DataError, match="'engine' looks like one, but 2 of 2 cells are not"):
        read_scores(write('h1,engine\n1,"3,5"\n2,"2,5"\n'), roles=Roles())


@pytest.mark.parametrize("conf", ["conf", "conf=2"])
def test_names_may_hold_an_equals_sign(write, conf):
    path = write(f"h1,t=0,t=1,{conf}\n1,1,1,.5\n2,2,2,.6\n")
    # as the command line divides it: at the last sign
    name, _, column = f"t=0={conf}".rpartition("=")
    roles = Roles(humans=("h1",), systems=("t=0", "t=1"), confidences={name: column})
    assert read_scores(path, roles=roles).roles.confidences == {"t=0": conf}
