"""A number or a table of an evaluation, by its name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter

from tallymark.catalogue import BY_NAME, canonical, find, near
from tallymark.errors import OptionError, did_you_mean
from tallymark.render.subsets import headline_subsets
from tallymark.render.tables import sheets
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    GOLD,
    PEOPLE,
    Estimate,
    Evaluation,
    Kind,
    ResultTable,
    Subset,
    gold_in_use,
)

PLACES = ("prompt", "trait", "fold", "group")
MOST = 12
"""So many names are listed in a message."""


def by_name(evaluation: Evaluation, name: object) -> Estimate:
    """Return the number of a name, or of a name and a system."""
    if isinstance(name, str):
        return number(evaluation, name, None, {})
    if not isinstance(name, tuple) or len(name) != 2:
        raise TypeError(f'name a number, as in ["qwk"] or ["qwk", "engine"], got {name!r}')
    return number(evaluation, str(name[0]), str(name[1]), {})


def has(evaluation: Evaluation, name: object) -> bool:
    """Whether some number is called so."""
    try:
        return bool(_called(evaluation, str(name)))
    except OptionError:
        return False


def number(evaluation: Evaluation, name: str, of: str | None, where: Mapping[str, str]) -> Estimate:
    """Return the one number that a name means, or say what else must be named."""
    known = (*PLACES, "against")
    unknown = [key for key in where if key not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise OptionError(f"unknown keyword {unknown[0]!r}: name {', '.join(known)} or of.{hint}")
    chosen = _Chosen(evaluation, name, _called(evaluation, name))
    if of is not None:
        chosen.keep(lambda subset: subset.system, of, "of")
    for place in [place for place in PLACES if place in where]:
        chosen.keep(attrgetter(place), where[place], f"of {place}")
    chosen.of_parts({*PLACES} & {*where})
    if "against" in where:
        chosen.compared(where["against"])
    return chosen.single()


def table(evaluation: Evaluation, name: str) -> ResultTable:
    """Return a table by its name; its beginning is enough where no other begins so."""
    every = sheets(evaluation)
    known = [key for key in every if key == name] or [k for k in every if k.startswith(f"{name}_")]
    if len(known) > 1:
        raise OptionError(f"{name!r} may mean {_listed(known)}: name one of them")
    if not known:
        wrong = (
            f"no table is called {name!r}.{did_you_mean(name, every)}" if name else "name a table."
        )
        raise OptionError(f"{wrong} There is {', '.join(every)}.")
    (key,) = known
    same = [record for record in evaluation.tables if record.name == key]
    return ResultTable(
        name=key,
        title=same[0].title if same else key.replace("_", " "),
        columns=tuple(every[key].columns),
        rows=tuple(map(tuple, every[key].rows)),
        note=same[0].note if same else "",
    )


def _called(evaluation: Evaluation, name: str) -> list[Estimate]:
    """The estimates of a name; a name without its parameters where these are the same in all."""
    exactly = [estimate for estimate in evaluation.estimates if estimate.text == name]
    text = name if exactly else canonical(name) or name
    exactly = exactly or [estimate for estimate in evaluation.estimates if estimate.text == text]
    chosen = exactly or [estimate for estimate in evaluation.estimates if estimate.name == text]
    if not exactly:
        in_use = _gold_in_use(evaluation)
        usual = find(text).key if _is_formula(text) else ""
        chosen = [e for e in chosen if e.text == usual or e.params == {"gold": in_use}] or chosen
    kinds = [*dict.fromkeys(estimate.text for estimate in chosen)]
    if len(kinds) > 1:
        raise OptionError(f"{name!r} may mean {_listed(kinds)}: name one of them")
    if not kinds and canonical(name) is not None:
        raise OptionError(f"{text} was not computed here; tm.explain({name!r}) says what it is")
    if not kinds:
        known = [*dict.fromkeys(estimate.text for estimate in evaluation.estimates)]
        hint = did_you_mean(text, known) or near(name)
        there = f" There is {_listed(known)}." if known else " This result holds no numbers."
        raise OptionError(f"no number is called {name!r} here.{hint}{there}")
    return chosen


def _is_formula(text: str) -> bool:
    """Whether a name without parameters is a statistic that has usual ones."""
    return text in BY_NAME and BY_NAME[text].value is not None


def _gold_in_use(evaluation: Evaluation) -> str | None:
    """The kind of gold whose ceilings are shown."""
    for subset in evaluation.subsets:
        if (subset.subject, subset.against) == (PEOPLE, CEILING):
            return gold_in_use(evaluation, subset)
    return None


class _Chosen:
    """The estimates that a name may mean, fewer with each thing that is named."""

    def __init__(self, evaluation: Evaluation, name: str, estimates: list[Estimate]) -> None:
        self.evaluation, self.name, self.estimates = evaluation, name, estimates

    def subset(self, estimate: Estimate) -> Subset:
        """The subset of an estimate."""
        return self.evaluation.subsets[estimate.subset]

    def keep(self, named: Callable[[Subset], str | None], word: str, what: str) -> None:
        """Keep the estimates of subsets with a name, or say which names there are."""
        kept = [e for e in self.estimates if named(self.subset(e)) == str(word)]
        if not kept:
            names = dict.fromkeys(named(self.subset(e)) for e in self.estimates)
            known = [name for name in names if name is not None]
            there = f" There is {_listed(known)}." if known else " None is known of that part."
            hint = did_you_mean(str(word), known)
            raise OptionError(f"there is no {self.name} {what} {word!r}.{hint}{there}")
        self.estimates = kept

    def compared(self, against: str) -> None:
        """Keep what is compared with a kind, such as people, or with one that has a name."""
        kinds = {str(self.subset(estimate).against.kind) for estimate in self.estimates}
        of_kind = against in kinds
        self.keep(lambda s: str(s.against.kind if of_kind else s.against), against, "against")

    def of_parts(self, named: set[str]) -> None:
        """Keep no other part of the data than was named; without one, that of the headline."""
        if named:
            others = [place for place in PLACES if place not in named]
            alone = [
                e for e in self.estimates if not any(getattr(self.subset(e), o) for o in others)
            ]
            self.estimates = alone or self.estimates
            return
        column, _ = headline_subsets(self.evaluation)
        subsets = {e.subset: self.subset(e) for e in self.estimates}
        means = {i for i, s in subsets.items() if column and s.average == column and not s.fisher_z}
        averaged = {(subsets[i].subject, subsets[i].against) for i in means}
        every = {i for i, s in subsets.items() if s.whole}
        every -= {i for i in every if (subsets[i].subject, subsets[i].against) in averaged}
        kept = [e for e in self.estimates if e.subset in means | every]
        if not kept:
            parts = dict.fromkeys(s.column or s.average or "part" for s in subsets.values())
            raise OptionError(
                f"{self.name} is known of single parts of the data: name one by "
                f"{' or '.join(parts)}, or take it from to_frame()"
            )
        self.estimates = kept

    def single(self) -> Estimate:
        """The first of those that share subject and comparison; else what must be named."""
        subjects = [*dict.fromkeys(self.subset(e).subject for e in self.estimates)]
        systems = [subject for subject in subjects if subject.is_system]
        people = [subject for subject in subjects if subject.kind is Kind.PEOPLE]
        subject = self._only(systems or people or subjects, 'as in ["{name}", "{first}"]')
        rest = [e for e in self.estimates if self.subset(e).subject == subject]
        whom = [*dict.fromkeys(self.subset(e).against for e in rest)]
        usual = [comparison for comparison in (GOLD, AMONG_PEOPLE) if comparison in whom][:1]
        against = self._only(usual or whom, 'as in number("{name}", against="{first}")')
        return next(e for e in rest if self.subset(e).against == against)

    def _only(self, several: Sequence[object], how: str) -> object:
        if len(several) > 1:
            asked = how.format(name=self.name, first=several[0])
            names = _listed(map(str, several))
            raise OptionError(f"there is {self.name} of {names}: name one, {asked}")
        return several[0]


def _listed(names: Iterable[str]) -> str:
    every = [*names]
    more = f" and {len(every) - MOST} more" if len(every) > MOST else ""
    return f"{', '.join(every[:MOST])}{more}"
