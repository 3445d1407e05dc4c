"""Of which data a number is, in words."""

from tallymark.render.sentences import Sentence
from tallymark.render.subsets import FACETS, labels_of, place
from tallymark.results import Evaluation, Subset


def scope(evaluation: Evaluation, subset: Subset) -> Sentence | None:
    """Say of which prompts or traits a number is; None where there is but one.

    A mean says of how many, and of how many there are.
    """
    if subset.average is not None:
        every = len(labels_of(evaluation, subset.average))
        of = subset.parts or every
        some = "{of} of {every}" if of < every else "{of}"
        return Sentence(f"mean of {some} {subset.average}s", of=of, every=every)
    if place(subset):
        where = ", ".join(str(part_called(*each)) for each in place(subset).items())
        return Sentence("{where} alone", where=where)
    return next(
        (
            Sentence(f"all {column}s together: differences between {column}s count too")
            for column in FACETS
            if len(labels_of(evaluation, column)) > 1
        ),
        None,
    )


def scale_called(evaluation: Evaluation) -> str:
    """The raters' scale, or that each prompt has its own."""
    prompts = labels_of(evaluation, "prompt")
    settings = (evaluation.options.get("prompts") or {}) if prompts else {}
    scales = {p: setting["scale"] for p, setting in settings.items() if setting.get("scale")}
    apart = len({*scales.values()}) > 1 and all(prompt in scales for prompt in prompts)
    return "each prompt has its own" if apart else evaluation.data.scale


def part_called(column: str, name: str) -> Sentence:
    """Name a part of the data with its column: "prompt 3", but "prompt" once in "prompt A".

    >>> str(part_called("prompt", "3")), str(part_called("prompt", "Prompt A"))
    ('prompt 3', 'Prompt A')
    """
    said = name.casefold().startswith(column.casefold())
    return Sentence("{name}" if said else "{column} {name}", column=column, name=name)
