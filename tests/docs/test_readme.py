"""What the README shows is what the program says."""

import re
from pathlib import Path

from click.testing import CliRunner

from tallymark.cli.main import tallymark

README = Path(__file__).parents[2] / "README.md"


def words(text):
    return " ".join(text.split())


def test_the_first_screen_is_that_of_the_demo():
    said = words(CliRunner().invoke(tallymark, ["demo"]).output)
    (shown,) = re.findall(r"```\n\$ tallymark demo\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    for part in re.split(r"…|\n(?=\S)", shown):
        assert words(part) in said
