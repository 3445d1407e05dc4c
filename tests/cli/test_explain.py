"""``tallymark explain``."""

from click.testing import CliRunner

from tallymark.cli.main import tallymark


def told(*args):
    return CliRunner().invoke(tallymark, ["explain", *args], catch_exceptions=True)


def test_a_number_is_explained_by_any_of_its_names():
    first, *others = [
        told(*words).output for words in (["QWK"], ["wtkappa"], ["cohen_kappa[quadratic]"])
    ]
    assert first.startswith("QWK: Cohen's kappa (cohen_kappa[quadratic])\n")
    assert others == [first, first]
    assert told("percent", "agreement").output.startswith("exact: Exact agreement") is False
    assert "Exact agreement (percent_agreement)" in told("percent", "agreement").output


def test_without_a_name_all_numbers_are_listed():
    assert told().exit_code == 0
    assert "ceiling_theoretical" in told().output


def test_an_unknown_name_is_the_users_mistake():
    assert type(told("kapa").exception).__name__ == "OptionError"
