"""Baseline: reference scorers on a table of texts and scores, and the user's systems beside them."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from msgspec import Struct
from msgspec.structs import replace

from tallymark.analyses.compare import compared
from tallymark.analyses.evaluate import evaluated
from tallymark.catalogue import texts
from tallymark.errors import OptionError
from tallymark.questions.data import guessed
from tallymark.render.sentences import Words
from tallymark.scale import Scale
from tallymark.scorers import view
from tallymark.scorers.out_of_fold import (
    FEWEST,
    FitsToCome,
    OutOfFold,
    parts_of,
    predict_out_of_fold,
    seen_elsewhere,
    work_of,
)
from tallymark.scorers.predictions import (
    DEV_TEST,
    FOLD,
    SUFFIXES,
    Baseline,
    BaselineRun,
    cell,
    predictions_of,
)
from tallymark.scorers.probes import (
    OFF_TOPIC,
    beside,
    of_scorers,
    of_systems,
    probe_texts,
    probes_of,
    scored,
)
from tallymark.scorers.reading import (
    MOST_POINTS,
    Lesson,
    TextTable,
    part_name,
    read_lesson,
    read_texts,
)
from tallymark.sources.confidence import read_columns
from tallymark.sources.joining import Columns
from tallymark.sources.places import PLACE
from tallymark.sources.probes import ROW, join_probes
from tallymark.sources.roles import expand
from tallymark.sources.scoring import map_system
from tallymark.study.baselines import REFERENCE_SCORERS, BaselineKeywords
from tallymark.study.reading import reading_of, roles_of
from tallymark.study.request import Request, fields_of, takes

Progress = Callable[[int, int], None]
MANY_PARTS = 12
"""With more prompts pairs are tested by t, for permutations of each take minutes."""
NEEDS = (
    "reference scorers need scikit-learn, which is not installed; install it with "
    "pip install 'tallymark[text]'"
)


@takes("baseline")
def baseline(
    source: object,
    *,
    cache: "str | os.PathLike[str] | None" = None,
    progress: Progress | None = None,
    **keywords: Unpack[BaselineKeywords],
) -> Baseline:
    """Train reference scorers on the texts of a table and set the systems of the table beside them.

    Every response is scored by models that never saw it. They are a floor that a scoring engine
    should beat, not a scoring engine. ``cache`` is a folder in which each fold's
    results are kept, so that a run that was broken off goes on.
    """
    prepared = prepare(source, Request.of("baseline", keywords))
    return prepared.run(None if cache is None else Path(cache), progress)


def prepare(source: object, request: Request) -> "Prepared":
    """Read what is to be learned; nothing is fitted yet."""
    try:
        import sklearn as _  # noqa: F401  # a missing package is said before anything is read
    except ImportError:
        raise OptionError(NEEDS) from None
    if request.seeds < 1:
        raise OptionError(f"--seeds must be 1 or more, got {request.seeds}")
    if request.probes and request.vectors is not None:
        raise OptionError(
            "--probes are new texts, of which --vectors has no vectors for the reference scorers to read; "
            "leave one of them out"
        )
    table, probed = read_texts(source, request), {}
    if request.probe_scores is not None:
        joined = join_probes(table.columns, request.probe_scores, roles_of(request))
        table, probed = replace(table, columns=joined.columns), joined.probed
    lessons = tuple(read_lesson(table, request, rule) for rule in dict.fromkeys(request.resolve))
    if request.probes:
        lessons = tuple(
            replace(x, sample=replace(x.sample, probes=probes_of(x.sample, request.seed)))
            for x in lessons
        )
    models = tuple(
        name for name in REFERENCE_SCORERS if name in (request.models or REFERENCE_SCORERS)
    )
    prepared = Prepared(request, table, lessons, models, probed)
    for lesson in lessons:  # what cannot be evaluated is refused before anything is fitted
        prepared.check(lesson)
    return prepared


class Prepared(Struct, frozen=True):
    """What is to be learned: the table, and the lessons of each rule."""

    request: Request
    table: TextTable
    lessons: tuple[Lesson, ...]
    models: tuple[str, ...]
    probed: Mapping[str, Sequence[str]]

    def probes(self, lesson: Lesson | None = None) -> Columns:
        """The texts of probes, to be scored by any system."""
        return probe_texts(self.table, lesson or self.lessons[0], self.request.seed)

    @property
    def work(self) -> FitsToCome:
        """How much there is to do."""
        return work_of([lesson.sample for lesson in self.lessons], self.models, self.request.seeds)

    def run(self, cache: Path | None = None, progress: Progress | None = None) -> Baseline:
        """Fit the models and evaluate what they give."""
        runs = []
        for i, lesson in enumerate(self.lessons):
            predicted = predict_out_of_fold(
                lesson.sample,
                self.models,
                seed=self.request.seed,
                seeds=self.request.seeds,
                cache=cache,
                workers=self.work.workers(),
                progress=_shifted(progress, i, len(self.lessons)),
            )
            runs.append(self._evaluated(lesson, predicted))
        guesses = self.lessons[0].scores.facts.guesses
        return Baseline(tuple(runs), (guessed(guesses),) if guesses else ())

    def _evaluated(self, lesson: Lesson, predicted: OutOfFold) -> BaselineRun:
        request, total = self.request, len(self.table.texts)
        predictions = predictions_of(
            lesson.sample, lesson.rows, predicted, total, request.lambda_, request.seed
        )
        role_columns, roles, systems = *self._kept(lesson), self.systems
        on_scale = {**self.table.columns, **self._on_gold_scale(lesson)}
        role_columns |= {name: on_scale[name] for name in systems}
        predicted_columns = predictions.columns()
        columns = {**role_columns, **predicted_columns}
        # the majority score stands among the baselines of every comparison
        scorers = [name for name in predictions.systems if name != "majority"]
        keywords = {**self._reading(lesson.rule), **roles}
        keywords["systems"] = (*systems, *(scorers or predictions.systems))
        several = len(keywords["systems"]) > 1
        keywords["statistics"] = texts("preferred")[:1] if not lesson.continuous else ()
        if several and len(lesson.sample.points) > MANY_PARTS:
            keywords["test"] = "t"
        scores = scored(of_scorers(predictions), of_systems(on_scale, self.probed))
        if scores[ROW]:
            keywords["probe_scores"] = scores
        # folds and confidences are left to who evaluates the table
        table = {**role_columns, **{name: predicted_columns[name] for name in predictions.systems}}
        outcome = (compared if several else evaluated)(
            table, Request.of("compare" if several else "evaluate", keywords)
        )
        probes = None
        if request.probes:
            probes = beside(self.table, lesson, self.probes(lesson), scores)
        return BaselineRun(
            lesson.rule, columns, predictions, predicted, lesson, systems, *outcome[:2], probes,
            tuple(self._notes(lesson, predicted)),
        )  # fmt: skip

    def check(self, lesson: Lesson) -> None:
        """Refuse what cannot be learned from or brought to one scale, and names that predictions have."""
        parts_of(lesson.sample)
        self._on_gold_scale(lesson)
        for name in self._kept(lesson)[0]:
            start, _, rest = name.partition("_")
            of_model = start in self.models and (not rest or rest.startswith(SUFFIXES))
            if of_model or name in (FOLD, DEV_TEST):
                raise OptionError(
                    f"the column {name!r} has the name of a column of predictions; rename it"
                )

    @property
    def systems(self) -> tuple[str, ...]:
        """The columns of the user's systems, patterns written out."""
        return expand(self.request.systems, [*self.table.columns])

    def _kept(self, lesson: Lesson) -> tuple[Columns, dict[str, Any]]:
        """The columns of the source that have a role, and the roles as they are asked for again."""
        roles = lesson.scores.roles
        names = [r.column for r in roles.named(self.table.columns)] + [*self.systems]
        columns = {
            name: self.table.columns[name]
            for name in dict.fromkeys(names)
            if name in self.table.columns
        }
        keywords = {
            "humans": roles.humans,
            "gold": roles.gold,
            "prompt": roles.prompt,
            "trait": roles.trait,
            "groups": roles.groups,
            "cluster": roles.cluster,
            "id": roles.id,
        }
        return columns, keywords

    def _on_gold_scale(self, lesson: Lesson) -> Columns:
        """The user's systems as they are compared, where they are on a scale of their own."""
        system_scale, scores = self.request.system_scale, lesson.scores
        prompts = reading_of(self.request)["prompts"].values()
        if any(options.system_scale is not None for options in prompts) or (
            system_scale and scores.scales
        ):
            raise OptionError(
                "baseline takes one --system-scale, and one --scale beside it, for all prompts; bring "
                "the systems' scores to the raters' scale"
            )
        if system_scale is None:
            return {}
        to_read = dict.fromkeys(self.systems, "asked for as --system")
        to_read |= {c: "of --probe-scores" for columns in self.probed.values() for c in columns}
        values, _ = read_columns(self.table.columns, numbers=to_read, missing=self.request.missing)
        scale = Scale.of(system_scale)
        return {
            name: [cell(x) for x in map_system(column, scale, scores.gold_scale)]
            for name, column in values.items()
        }

    def _reading(self, rule: str) -> dict[str, Any]:
        """How scores are read, and intervals made, as the comparison is asked for it."""
        comparison_fields = fields_of("compare")
        keywords = {
            name: value for name, value in self.request.given.items() if name in comparison_fields
        }
        for name in ("systems", "resolve", "system_scale", "probe_scores", *PLACE):
            keywords.pop(name, None)
        return {**keywords, "resolve": rule, "level": self.request.level, "seed": self.request.seed}

    def _notes(self, lesson: Lesson, predicted: OutOfFold) -> Iterator[Words]:
        """What was left out, and why; what models had seen."""
        if self.table.blank:
            yield view.blank(self.table.blank)
        if predicted.small:
            yield view.too_small(_sizes(lesson, predicted.small), FEWEST)
        if predicted.flat:
            yield view.flat(_sizes(lesson, predicted.flat))
        if copies := seen_elsewhere(lesson.sample, predicted.fold):
            yield view.copied(copies)
        if self.request.probes and OFF_TOPIC not in lesson.sample.probes:
            yield view.ONE_PROMPT
        if any(name not in predicted.scores for name in self.models):
            yield view.unclassified(MOST_POINTS)


def _sizes(lesson: Lesson, parts: Iterable[str]) -> dict[str, int]:
    """How many responses parts have, by the names that they are shown by."""
    return {part_name(part): int((lesson.sample.parts == part).sum()) for part in parts}


def _shifted(progress: Progress | None, i: int, times: int) -> Progress | None:
    """Report the progress of one run of several."""
    if progress is None:
        return None
    return lambda done, total: progress(i * total + done, times * total)
