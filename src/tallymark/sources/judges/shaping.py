"""Shaping: ratings of people and judges become one row a response, with the roles of its columns."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.sources.judges.labels import RatingLabels
from tallymark.sources.judges.ratings import JudgeFile, Rating, counted
from tallymark.sources.judges.scales import scales_apart
from tallymark.sources.roles import Roles, listed

ID, TRAIT, REASON, GROUND_TRUTH = "id", "trait", "reason", "ground_truth"
Cells = dict[str, dict[int, Rating]]
"""The ratings of one response, by column and run."""


class KnownTable(Struct, frozen=True):
    """Columns of text whose roles are known; ``reasons`` are why rows of ``REASON`` are left out.

    ``people`` lists the columns of people where the file does not tell which of them to compare;
    ``unjudged`` is why there is no judge, where it tells.
    Traits on ``scales`` of their own are read as prompts, which may have them. ``letters`` are what
    the tool writes for numbers.
    """

    columns: Mapping[str, Sequence[str | None]]
    roles: Roles
    guesses: tuple[str, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    people: str = ""
    unjudged: str = ""
    scales: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)


class _Ratings(Struct, eq=False):
    """Rows by response and trait; the columns of people and judges, and whether each has a role."""

    labels: RatingLabels
    taken: frozenset[str]
    rows: dict[tuple[str, str], Cells] = field(default_factory=dict)
    humans: dict[str, bool] = field(default_factory=dict)
    systems: dict[str, bool] = field(default_factory=dict)
    replaced: int = 0

    def place(self, given: Rating) -> tuple[str, str]:
        return given.response, given.name if self.labels.traits else ""

    def add(self, given: Rating) -> None:
        """Put a rating in its place; of a person the last one counts, of a judge each is a run."""
        label = self.labels.of(given)
        ours, others = (self.humans, self.systems) if given.person else (self.systems, self.humans)
        while label in self.taken or label in others:
            label = f"{label} ({'person' if given.person else 'judge'})"
        ours.setdefault(label, self.labels.clear(given))
        runs = self.rows.setdefault(self.place(given), {}).setdefault(label, {})
        if given.person:
            self.replaced += bool(runs)
            runs.clear()
        runs[given.run or len(runs) + 1] = given

    @property
    def judges(self) -> list[str]:
        return [label for label, clear in self.systems.items() if clear]

    def runs_of(self, label: str) -> list[int]:
        return sorted({run for cells in self.rows.values() for run in cells.get(label, {})})

    def columns_of(self, label: str) -> dict[str, int]:
        """The run that each column of a judge holds: that of its name the first."""
        runs = self.runs_of(label)
        return {label if run == runs[0] else f"{label}:{run}": run for run in runs}

    def reason(self, cells: Cells, failed: str) -> str | None:
        """Why no judge's score of a response can be used; None where there is one."""
        given = [given for label in self.judges for given in cells.get(label, {}).values()]
        if any(rating.value is not None for rating in given):
            return None
        return next((rating.why for rating in given if rating.why), failed or None)


def shaped(file: JudgeFile) -> KnownTable:
    """Make a table of ratings: names that people and judges share are traits, where they are several.

    Where they share none, each name of a judge is a system. A judge's later runs become repeats.
    """
    ratings = [given for given in file.ratings if not given.gold]
    labels = RatingLabels.among(ratings)
    taken = frozenset({ID, TRAIT, REASON, GROUND_TRUTH, file.cluster, *file.beside})
    grid = _Ratings(labels, taken)
    for given in ratings:
        if not labels.traits or given.name in labels.shared:
            grid.add(given)
    for response in () if labels.traits else file.failed:
        grid.rows.setdefault((response, ""), {})
    table = _with_gold(_table(file, grid), grid, [given for given in file.ratings if given.gold])
    scales = scales_apart(ratings, labels.shared) if labels.traits else {}
    return _on_scales(table, scales) if scales else table


def _table(file: JudgeFile, grid: _Ratings) -> KnownTable:
    responses = [response for response, _ in grid.rows]
    columns: dict[str, list[str | None]] = {ID: [*responses]}
    if grid.labels.traits:
        columns[TRAIT] = [trait for _, trait in grid.rows]
    if file.cluster:
        columns[file.cluster] = [file.clusters.get(response, response) for response in responses]
    for name, values in file.beside.items():
        columns[name] = [values.get(response) for response in responses]
    for label in grid.humans:
        given = [[*cells.get(label, {}).values()] for cells in grid.rows.values()]
        columns[label] = [ratings[-1].value if ratings else None for ratings in given]
    of_runs = {label: grid.columns_of(label) for label in grid.systems}
    for label, runs in of_runs.items():
        for name, run in runs.items():
            each = [cells.get(label, {}).get(run) for cells in grid.rows.values()]
            columns[name] = [None if cell is None else cell.value for cell in each]
    repeats = {label: tuple(of_runs[label]) for label in grid.judges if len(of_runs[label]) > 1}
    failed = [file.failed.get(response, "") for response in responses]
    columns[REASON] = [*map(grid.reason, grid.rows.values(), failed)]
    roles = Roles(
        id=ID,
        humans=tuple(label for label, clear in grid.humans.items() if clear),
        systems=tuple(grid.judges),
        repeats=repeats,
        trait=TRAIT if grid.labels.traits else None,
        cluster=file.cluster or None,
    )
    reasons = tuple(sorted({reason for reason in columns[REASON] if reason}))
    people = "" if roles.humans else listed([*grid.humans])
    notes = _notes(file, grid, columns[REASON])
    guesses = _guesses(file, roles)
    return KnownTable(
        columns, roles, guesses, notes, reasons, people, file.unjudged, letters=file.letters
    )


def _guesses(file: JudgeFile, roles: Roles) -> tuple[str, ...]:
    named = {
        "human": roles.humans,
        "system": roles.systems,
        "trait": filter(None, [roles.trait]),
        "cluster": filter(None, [roles.cluster]),
    }
    said = [f"{role}: {listed(chosen)}" for role, names in named.items() if (chosen := [*names])]
    said += [f"repeats of {label}: {listed(runs)}" for label, runs in roles.repeats.items()]
    return (file.said, *said)


def _notes(file: JudgeFile, grid: _Ratings, reasons: Iterable[str | None]) -> tuple[str, ...]:
    """Say which scores have no role, were replaced, or are missing in a response that has others."""
    notes = [*file.notes]
    if grid.labels.traits:
        others = {given.name for given in file.ratings if given.name not in grid.labels.shared}
    else:
        others = {label for label, clear in (grid.systems | grid.humans).items() if not clear}
    words = sorted(others & grid.labels.worded)
    if words:
        notes.append(
            f"{listed(words)}: words beside scores that are numbers; to compare them, name their columns "
            f"({listed(sorted(others))}) with --human and --system, and the words in their order with --scale"
        )
    elif others and grid.labels.shared:
        verb = "is" if len(others) == 1 else "are"
        named = listed(sorted(others))
        notes.append(f"{named} {verb} not compared: not scored by both people and judges")
    if grid.replaced:
        notes.append(
            f"{counted(grid.replaced, 'score')} of people replaced by a later one of theirs"
        )
    lost = Counter(
        given.why
        for cells, reason in zip(grid.rows.values(), reasons, strict=True)
        for label in grid.judges
        for given in cells.get(label, {}).values()
        if reason is None and given.value is None
    )
    notes += [f"{counted(n, 'score')} left out: {why}" for why, n in sorted(lost.items())]
    return tuple(notes)


def _with_gold(table: KnownTable, grid: _Ratings, golds: Sequence[Rating]) -> KnownTable:
    """Add the scores that are marked as those that count; they are used where they are asked for."""
    shared = grid.labels.shared
    marked = {
        grid.place(given): given.value for given in golds if not shared or given.name in shared
    }
    if not marked:
        return table
    note = f"{counted(len(marked), 'score')} marked as ground truth: --gold {GROUND_TRUTH} compares with them"
    columns = {**table.columns, GROUND_TRUTH: [marked.get(row) for row in grid.rows]}
    return replace(table, columns=columns, notes=(*table.notes, note))


def _on_scales(table: KnownTable, scales: Mapping[str, str]) -> KnownTable:
    said = ", ".join(f"{name} {scale}" for name, scale in scales.items())
    guesses = [guess for guess in table.guesses if guess != f"trait: {TRAIT}"]
    return replace(
        table,
        roles=replace(table.roles, trait=None, prompt=TRAIT),
        guesses=(*guesses, f"prompt: {TRAIT}, as each has a scale of its own ({said})"),
        scales=scales,
    )
