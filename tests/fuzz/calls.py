"""Random calls of every command, with options drawn from what the commands declare.

``python -m tests.fuzz.calls FIRST COUNT`` makes the calls of so many seeds and prints those that
end as none should.
"""

import io
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from tallymark.cli.main import main as run_command_line
from tallymark.cli.main import tallymark
from tallymark.cli.options import OUTPUT
from tests.fuzz.tables import Table, written

Commands = dict[tuple[str, ...], click.Command]
Run = Callable[..., tuple[object, str, str]]
SLOW = 8
"""A call that takes more seconds of work is named by the script; no test knows of it."""
WEIGHTS = {
    "route apply": 0.3, "route monitor": 0.3, "evaluate": 5, "compare": 2, "raters": 2, "ceiling": 2, "whatif": 2, "route certify": 3, "baseline": 0.1, "lab run": 0.1,
    "lab properties": 0.1, "lab list": 0.02, "demo": 0.02, "explain": 0.3, "report": 0.3, "plan certify": 0.3,
    "rsmeval": 0.4, "rsmcompare": 0.2, "rsmsummarize": 0.2,
}  # fmt: skip
"""How often a command is called, less if it takes long or has little to vary; others count as 1."""
NEEDED = {
    "route certify": ("--alpha", "--confidence", "--one-per-cluster"),
    "lab run": ("--replicates",),
    "lab properties": ("--statistic",),
    "plan settle": ("--at-least",),
    "tally": ("--out",),
    "report": ("--out",),
    "plan double-scores": ("--error-variance", "--true-variance"),
    "plan difference": ("--values",),
}
"""Options without which a command refuses, or takes long."""
SELDOM = frozenset(
    {"--records", "--sheet", "--table", "--config", "--count", "--memory-limit", "--master"}
)
"""Options that these files refuse nearly always."""
NEVER = frozenset({"--open", "--debug", "--help"})
"""They start a browser, print tracebacks or nothing but help."""
TEXTS = (
    "", "x", "nope", "0", "-1", "é", "a=b", "=", ",", "*", "[", "'", '"', "a,b", "1:4", "nan", "\u202ex", "\x1b[31mx", "x" * 300,
    "../x", "-", "--", "h1", "engine", "%s", "{x}", "a@b", "1e400", "\n",
)  # fmt: skip
WHOLE = ("2", "3", "5", "10", "1", "100", "1000", "0", "-1", "99999999")
SHARES = ("0.05", "0.1", "0.2", "0.5", "0.8", "0.95")
NUMBERS = (*SHARES, "1", "2", "3", "0", "-0.5", "-2", "1e-9", "1e300", "nan", "inf")
STATISTICS = (
    "qwk",
    "pearson",
    "mae",
    "accuracy",
    "smd",
    "gwet_ac[linear]",
    "kappa",
    "sensitivity",
    "f1",
    "bias",
    "prmse",
)
POINTS = ("1", "2", "3", "4", "0", "9", "1.5", "yes", "no")
WORDS = {
    "SHARE": NUMBERS, "SHARES": (".1,.4,.4,.1", ".5", "0.2,0.8"), "NUMBER": NUMBERS, "NUMBERS": (".1,.4,.4,.1", "1,1"),
    "RATE": NUMBERS, "VALUE": (*POINTS, "x", "y", "0.5"), "SCORE": POINTS, "A": POINTS, "B": POINTS, "POINTS": NUMBERS,
    "SCALE": ("1:4", "1:6", "0:3:0.5", "1,2,4", "yes,no", "4:1", "1:1000000"), "TEXT": ("answer", "NA", "x"),
    "LABELS": ("yes,no,it depends,no answer", "yes,no", "1,2,3,4"), "LABEL": ("yes", "4", "no answer"),
    "RULE": ("first", "mean", "sum", "higher", "adjudicated", "range", "none", "0.4"), "SIZE": ("500MB", "1GB", "lots"),
    "CONDITION": ("h1 >= 2", "prompt = 'a'", "gender is null", "note in ('x')", "1 = 1", "h1 >"), "URL": ("local[1]",),
    "ITEM": ("3.8", "1.1", "9.9"), "PATH": ("items", "a.b", "*"), "DIALECT": ("duckdb", "spark", "bigquery", "sql"),
    "NAME": (*STATISTICS, "engine", "human", "machine"), "QWK": NUMBERS, "TIMES": NUMBERS, "AUDITS": NUMBERS,
    "MODULE": ("os",), "FUNCTION": ("getcwd",), "N": WHOLE,
}  # fmt: skip
"""What stands for a word of a metavar."""
LISTED = {
    "--resolve": ("first", "sum", "mean", "rounded-mean", "higher", "lower", "adjudicated"),
    "--trim": ("half-step", "range", "none", "0.2"),
    "--exclude": ("text", "infinite", "off-scale", "duplicate"),
    "--price": ("human=1", "machine=.1", "label=2", "fixed=0"),
    "--policy": ("policy.toml", "llm-judge", "williamson2012", "wood2021", "ctb2014"),
    "--interval": ("abc", "bca", "percentile", "analytic"),
    "--values": (".7,.8", ".5,.5"),
    "--statistic": STATISTICS,
    "--severity": ("conditional", "mml"),
    "--scale": ("1:4", "1:4", "1:6", "0:5:0.5"),
}
"""Values of options that are often asked and would often be refused."""
PROSE = frozenset(
    {"KIND", "RULE", "REASON", "METHOD", "MODEL", "TEST", "DIALECT", "NAME,NAME", "NAME"}
)
"""Metavars of options whose help lists what can be chosen."""
FILES = {
    "--human-file": ("people.csv", "people.csv", "sheet.csv"), "--vectors": ("vectors.npy",), "--probe-scores": ("probes.csv",),
    "--reference": ("published.csv",),
    "--config": ("options.toml",), "--predictions": ("predictions.csv",), "--pool": ("wide.csv",),
}  # fmt: skip
ANY_FILE = (
    "wide.csv", "odd.csv", "words.txt", "nope.csv", "policy.toml", "evaluation.json", "routing.json", ".", "vectors.npy",
)  # fmt: skip
WRITTEN = frozenset({"--summary"})
"""Files that are written, though their section is not that of output."""
PLACES = (
    "out/a",
    "out/b",
    "out/a.csv",
    "out/b.json",
    "out/c.md",
    "out/d.parquet",
    "out/nowhere/a/b",
    "out",
)
EXPERIMENTS = ("prevalence-series", "paradox", "trait-prevalence", "nope", "pass-fail-sweep")


@cache
def commands() -> Commands:
    """Every command by the words that call it."""
    return dict(_below(tallymark, ()))


def _below(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[Any, click.Command]]:
    if not isinstance(command, click.Group):
        yield words, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            yield from _below(inner, (*words, name))


def options_of(words: tuple[str, ...]) -> dict[str, click.Option]:
    """The options of a command that are drawn, by their flags."""
    return {
        max(option.opts, key=len): option
        for option in commands()[words].params
        if isinstance(option, click.Option) and not NEVER & {*option.opts}
    }


def call_of(seed: int, tables: Sequence[Table]) -> list[str]:
    """The call of a seed."""
    rng = random.Random(seed)
    names = [*commands()]
    words = rng.choices(names, [WEIGHTS.get(" ".join(name), 1.0) for name in names])[0]
    table = rng.choices(tables, [0.1 if "empty" in table.file else 1.0 for table in tables])[0]
    options = options_of(words)
    chosen = [flag for flag, option in options.items() if option.required]
    plain = rng.random() < 0.9
    if plain:
        needed = (*table.needed, *table.always, *NEEDED.get(" ".join(words), ()))
        chosen += [flag for flag in needed if flag in options]
    seldom = {flag for flag, option in options.items() if option.hidden or flag in SELDOM}
    others = [flag for flag in options if not (plain and flag in seldom) or rng.random() < 0.05]
    more = rng.choice((0, 1, 1, 2, 2, 3, 4, 6, 8)) if others else 0
    chosen += rng.sample(others, k=min(more, len(others)))
    odd = 0.03 if plain else 0.2
    kept = {"--out", *NEEDED.get(" ".join(words), ())} if words[0] == "lab" else {"--out"}
    once = dict.fromkeys(flag for flag in chosen if flag in kept or rng.random() > odd / 2)
    drawn = Drawn(rng, table, odd)
    asked = [word for flag in once for word in drawn.option(options[flag], flag)]
    arguments = drawn.arguments(words)
    return [*words, *arguments, *asked] if rng.random() < 0.8 else [*words, *asked, *arguments]


class Drawn(NamedTuple):
    """What is drawn for a call about a table, ``odd`` being the share of values that make no sense."""

    rng: random.Random
    table: Table
    odd: float

    def arguments(self, words: tuple[str, ...]) -> list[str]:
        """The words that stand without an option."""
        rng, file = self.rng, self._or_any(self.table.file)
        routing = self._or_any("routing.json", "prompts.json", "batch.json")
        named = rng.choices((*STATISTICS, *WORDS["NAME"], *TEXTS), k=rng.choice((0, 1, 1, 2)))
        fixed = {
            "route": [file] if words[-1] == "certify" else [routing, self._or_any("new.csv")],
            "plan": [] if words[-1] == "certify" or rng.random() < 0.3 else [file],
            "report": [self._or_any("evaluation.json", "judged.json")],
            "explain": named,
            "lab": [rng.choice(EXPERIMENTS)] if words[-1] == "run" else [],
            "rsmeval": [self._or_any("rsmeval.json"), "out/rsm"],
            "rsmcompare": [self._or_any("rsmcompare.json")],
            "rsmsummarize": [self._or_any("rsmsummarize.json")],
            "demo": [],
        }
        return fixed.get(words[0], [file])

    def _or_any(self, *files: str) -> str:
        return self.rng.choice(files if self.rng.random() > self.odd else ANY_FILE)

    def option(self, option: click.Option, flag: str) -> Iterator[str]:
        """An option and its value, several times where it may be repeated."""
        if option.is_flag:
            yield flag
            return
        values = self._values(option, flag)
        for value in dict.fromkeys(values) if self.rng.random() > self.odd else values:
            yield from (f"{flag}={value}",) if self.rng.random() < 0.3 else (flag, value)

    def _values(self, option: click.Option, flag: str) -> list[str]:
        if flag in self.table.always:
            return [self.table.always[flag]]
        columns = self.table.roles.get(flag, ())
        if flag in self.table.needed and columns and self.rng.random() > self.odd:
            return [*columns] if option.multiple else [columns[0]]
        return [
            self._value(option, flag)
            for _ in range(self.rng.choice((1, 1, 2)) if option.multiple else 1)
        ]

    def _value(self, option: click.Option, flag: str) -> str:
        rng, section = self.rng, getattr(option, "section", "")
        writes = (section == OUTPUT and flag != "--config") or flag in WRITTEN
        if writes and isinstance(option.type, click.Path):
            return rng.choice(PLACES)
        if rng.random() < self.odd:
            return rng.choice(TEXTS)
        if isinstance(option.type, click.Choice):
            return rng.choice([str(one) for one in option.type.choices if one != "spark"])
        if isinstance(option.type, click.Path):
            return self._file(flag)
        if flag == "--replicates":  # so many resamples take long
            return rng.choice(("100", "100", "3"))
        if option.type is click.INT or option.type is click.FLOAT:
            usual, any_number = (
                (WHOLE[:4], WHOLE) if option.type is click.INT else (SHARES, NUMBERS)
            )
            return rng.choice(usual if rng.random() > 3 * self.odd else any_number)
        form = rng.choice((option.metavar or "NAME").replace("[NAME=]", "").split("|"))
        if flag in LISTED and rng.random() > self.odd:
            return rng.choice(LISTED[flag])
        # where the help lists in prose what can be chosen, these are words of it
        listed = re.findall(r"[a-z][\w-]+", option.help or "") if form in PROSE else []
        if listed and rng.random() < 0.3:
            return rng.choice(listed)
        return re.sub("[A-Z]+", lambda word: self._word(word[0], flag), form)

    def _word(self, word: str, flag: str) -> str:
        if word == "COL":
            columns = self.table.roles.get(flag, ())
            most = columns and self.rng.random() > 2 * self.odd
            return self.rng.choice(columns if most else self.table.columns)
        if word in ("FILE", "DIR"):
            return self._file(flag)
        if word == "NAME" and flag in ("--confidence", "--probabilities", "--repeat"):
            return self.rng.choice(self.table.roles.get("--system") or ("engine",))
        return self.rng.choice(WORDS.get(word, TEXTS))

    def _file(self, flag: str) -> str:
        return self._or_any(*FILES.get(flag, ANY_FILE))


def wrong_with(command: str, code: object, err: str) -> str:
    """What is wrong with the end of a call; empty where nothing is."""
    if code not in (0, 1, 2, 3):
        return f"exit code {code}"
    if "Traceback" in err or "Warning" in err:
        return "a traceback or a warning"
    if code == 2 and not (err.startswith("tallymark: ") and 1 <= err.count("\n") <= 2):
        return "no message of one or two lines"
    if code != 2 and err and command != "baseline":  # which says how many fits are to come
        return "a message though it went well"
    return ""


def shown(seed: int, words: Sequence[str], wrong: str, err: str) -> str:
    """A call that ended as none should, with how to repeat it."""
    again = f"python -m tests.fuzz.calls {seed} 1"
    return f"{wrong}: tallymark {shlex.join(words)}\n{err[-600:]}\nagain: {again}"


MADE = (
    "evaluate wide.csv --human h1 --human h2 --system engine --scale 1:4 --out made",
    "evaluate wide.csv --human h1 --human h2 --system engine --policy llm-judge --out judged",
    "labels draw wide.csv -n 20 --by engine --id id --show answer --out sheet.csv",
    "rsmeval rsmeval.json old",
    *(
        f"route certify wide.csv --human h1 --system engine --confidence sure --id id --alpha .5 --one-per-cluster {more}"
        for more in ("--out routing.json", "--prompt prompt --by prompt --out prompts.json", "--method batch --out batch.json")
    ),
)  # fmt: skip
"""Calls that make what others read."""


def prepared(folder: Path, run: Run) -> list[Table]:
    """Write everything that calls read into a folder, which is the one to stand in."""
    tables = written(folder)
    for command in MADE:
        code, _, err = run(*command.split())
        if code not in (0, 3):
            raise RuntimeError(f"{command}: {err}")
    (folder / "made" / "evaluation.json").rename(folder / "evaluation.json")
    (folder / "judged" / "evaluation.json").rename(folder / "judged.json")
    sheet = (folder / "sheet.csv").read_text("utf-8").splitlines()
    (folder / "sheet.csv").write_text("\n".join(_labelled(sheet)) + "\n", "utf-8")
    for path in folder.rglob("*"):
        os.utime(path, (0, 0))
    (folder / "out").mkdir()
    return tables


def _labelled(sheet: Sequence[str]) -> Iterator[str]:
    """The rows of a sheet with a label in each."""
    place = sheet[0].split(",").index("drawn_label")
    yield sheet[0]
    for i, row in enumerate(sheet[1:]):
        cells = row.split(",")
        yield ",".join([*cells[:place], str(1 + i % 4), *cells[place + 1 :]])


def changed_files(folder: Path) -> list[str]:
    """What was written or changed outside out/ since it was prepared."""
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.relative_to(folder).parts[0] != "out" and path.stat().st_mtime > 0
        and not path.is_dir()
    ]  # fmt: skip


def fuzz(seeds: Sequence[int], folder: Path, tables: Sequence[Table], run: Run) -> Iterator[str]:
    """Make the calls of some seeds; those that end as none should."""
    for seed in seeds:
        words = call_of(seed, tables)
        code, _, err = run(*words)
        wrong = wrong_with(words[0], code, err)
        if changed := changed_files(folder):
            wrong = f"{', '.join(changed)} written"
            for name in changed:
                os.utime(folder / name, (0, 0))
        if wrong:
            yield shown(seed, words, wrong, err)
        shutil.rmtree(folder / "out")
        (folder / "out").mkdir()


def main() -> None:
    """Make the calls of so many seeds from the first on."""
    first, count = (int(word) for word in sys.argv[1:3])
    warnings.simplefilter("error")

    ends: Counter[object] = Counter()

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n\n")
        sys.stdout.flush()

    def run(*words: str) -> tuple[object, str, str]:
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
        start = time.process_time()
        code: object = None
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            try:
                run_command_line(words)
            except SystemExit as end:
                code = end.code
        if (took := time.process_time() - start) > SLOW:
            say(f"{took:.0f} s: tallymark {shlex.join(words)}")
        ends[code] += 1
        out, err = (stream.detach().getvalue().decode() for stream in streams)
        return code, out, err

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tables = prepared(Path(folder), run)
        for failure in fuzz(range(first, first + count), Path(folder), tables, run):
            say(failure)
        os.chdir("/")
    say(f"exit codes: {dict(ends)}")


if __name__ == "__main__":
    main()
