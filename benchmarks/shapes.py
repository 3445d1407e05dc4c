"""The shapes of data that the targets are about: a file of simulated scores, and a command on it."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from tallymark.demo.generate import to_csv
from tallymark.simulation import Group, Prompt, Rater, System, simulate

GROUPS = {"gender": [Group("female"), Group("male")], "region": [Group("north"), Group("south")]}


def small(folder: Path) -> list[str]:
    """200 responses, two raters, one system."""
    return _written(folder / "small.csv", 200, [_system("engine")])


def small_parts(folder: Path) -> list[str]:
    """The same with four prompts and two columns of groups."""
    path = folder / "parts.csv"
    arguments = _written(path, 200, [_system("engine")], prompts=4, groups=True)
    return [*arguments, "--prompt", "prompt", "--group", "gender", "--group", "region"]


def points(folder: Path, scale: str) -> list[str]:
    """3,000 responses on a scale."""
    path = folder / f"points-{scale.replace(':', '-')}.csv"
    return [*_written(path, 3000, [_system("engine")], scale=scale), "--scale", scale]


def five_systems(folder: Path) -> list[str]:
    """Five systems on 13,000 responses to eight prompts with scales of their own, and a policy."""
    systems = [_system(f"s{i}", noise=0.3 + i / 20) for i in range(5)]
    scales = ("2:12", "1:6", "0:3", "0:3", "0:4", "0:4", "0:30", "0:60")
    lines: list[str] = []
    for i, scale in enumerate(scales):
        arguments = _written(folder / "five.csv", 1625, systems, scale=scale)
        head, *rest = (folder / "five.csv").read_text("utf-8").splitlines()
        lines += [f"{head},prompt"] * (not lines) + [f"{line},p{i}" for line in rest]
    (folder / "five.csv").write_text("\n".join(lines) + "\n", "utf-8")
    tables = "".join(f'[prompts."p{i}"]\nscale = "{s}"\n' for i, s in enumerate(scales))
    (folder / "five.toml").write_text(tables, "utf-8")
    config = ["--config", str(folder / "five.toml")]
    return [*arguments, "--prompt", "prompt", *config, "--policy", "williamson2012"]


def twelve_systems(folder: Path) -> list[str]:
    """Twelve systems on 3,430 responses to 86 prompts."""
    systems = [_system(f"s{i}", noise=0.3 + i / 20) for i in range(12)]
    arguments = _written(folder / "twelve.csv", 3430, systems, prompts=86)
    return [*arguments, "--prompt", "prompt"]


def compared(folder: Path) -> list[str]:
    """29 systems compared on 5,224 responses to ten prompts."""
    systems = [_system(f"s{i}", noise=0.3 + i / 40) for i in range(29)]
    _, *arguments = _written(folder / "compared.csv", 5224, systems, prompts=10)
    return ["compare", *arguments, "--prompt", "prompt"]


def repeats(folder: Path, scale: str) -> list[str]:
    """Twenty runs of one judge on 1,395 responses."""
    judge = System("judge", noise=0.4, jitter=0.4, repeats=20)
    path = folder / f"repeats-{scale.replace(':', '-')}.csv"
    arguments = _written(path, 1395, [judge], scale=scale)
    return [*arguments, "--scale", scale, "--repeat", f"judge={','.join(judge.runs)}"]


def twenty_raters(folder: Path) -> list[str]:
    """Twenty raters on 5,000 responses, 1 to 10."""
    names = [f"h{i + 1}" for i in range(20)]
    made = simulate(5000, scale="1:10", raters=[Rater(name, noise=1.0) for name in names], seed=1)
    whole = {name: made.columns()[name].astype(int) for name in names}
    path = folder / "twenty.csv"
    path.write_text(to_csv(whole), "utf-8")
    named = [part for name in names for part in ("--human", name)]
    return ["raters", str(path), *named, "--scale", "1:10"]


def parquet(folder: Path, times: int, *, ending: str = "parquet") -> list[str]:
    """100,000 responses, so many times over, one after the other, in a Parquet file or one of CSV."""
    path, once = folder / f"{times}.{ending}", folder / "once.csv"
    arguments = _written(once, 100_000, [_system("engine")])
    with duckdb.connect() as connection:
        numbered = f"SELECT row_number() OVER () - 1 AS place, * FROM '{once}'"
        connection.execute(f"CREATE TABLE once AS {numbered}")
        rows = f"range({times * 100_000}) t(i) JOIN once ON place = i % 100000"
        connection.execute(f"COPY (SELECT h1, h2, engine FROM {rows}) TO '{path}'")
    return [str(path) if part == str(once) else part for part in arguments]


def _system(name: str, *, noise: float = 0.4) -> System:
    return System(name, noise=noise)


def _written(
    path: Path,
    n: int,
    systems: Sequence[System],
    *,
    scale: str = "1:6",
    prompts: int = 0,
    groups: bool = False,
) -> list[str]:
    """Write the scores; return the command that evaluates them. Noise is in steps of six points."""
    low, high = map(int, scale.split(":"))
    step = (high - low) / 5
    raters = [Rater(f"h{i + 1}", noise=0.5 * step) for i in range(2)]
    made = simulate(
        n,
        scale=scale,
        raters=raters,
        systems=[_wider(system, step) for system in systems],
        prompts=[Prompt(f"p{i}") for i in range(prompts)],
        groups=GROUPS if groups else None,
        seed=1,
    ).columns()
    whole = {
        name: values.astype(int) if values.dtype == float else values
        for name, values in made.items()
    }
    path.write_text(to_csv(whole), "utf-8")
    named = [part for rater in raters for part in ("--human", rater.name)]
    named += [part for system in systems for part in ("--system", system.name)]
    return ["evaluate", str(path), *named]


def _wider(system: System, step: float) -> System:
    return System(
        system.name,
        noise=system.noise * step,
        jitter=system.jitter * step,
        repeats=system.repeats,
    )
