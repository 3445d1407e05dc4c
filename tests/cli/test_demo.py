"""``tallymark demo``."""

from tallymark.cli.demo import KNOWN, ROLES
from tallymark.demo import SCORES


def test_the_demo_shows_its_numbers_and_what_is_known_to_be_true(run, tmp_path, monkeypatch):
    monkeypatch.setitem(ROLES, "replicates", 100)
    ended = run("demo", "--out", tmp_path)
    assert (ended.code, ended.err) == (0, "")
    shown = " ".join(ended.out.split())
    assert "1,200 responses read, 1,200 used. Scale: 1:6. Gold: first rating: h1." in shown
    assert "Guessed" not in shown
    assert "QWK in each of 3 prompts" in shown
    assert all(fact in shown for fact in KNOWN.splitlines())
    assert (tmp_path / "tables" / "confusion_chatbot.csv").exists()


def test_the_bundled_scores_can_be_had_as_a_file(run, tmp_path):
    target = tmp_path / "scores.csv"
    ended = run("demo", "--scores", target)
    assert (ended.code, ended.out) == (0, f"{target} written\n")
    assert target.read_bytes() == SCORES.read_bytes()
    assert run("demo", "--scores", target / "below" / "a file").code == 2
    assert run("demo", "--scores", target, "--json").code == 2
