"""What the page holds for its scripts: the estimates that are shown, to six digits."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tallymark.defaults import LEVEL
from tallymark.render.literal import literal
from tallymark.render.model import Bench, Section, Slider
from tallymark.render.view import View, finite, part_name
from tallymark.results import AMONG_PEOPLE, PEOPLE, Subset
from tallymark.results.cells import harmless


def embedded(view: View, sections: Sequence[Section], anchors: Mapping[str, str]) -> str:
    """Return JSON that cannot end the script element it stands in."""
    raw = {**_estimates(view, anchors), "sliders": _sliders(sections)}
    raw |= {"benches": {bench.id: bench.data for bench in benches_of(sections)}}
    text = msgspec.json.encode(raw).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _estimates(view: View, anchors: Mapping[str, str]) -> dict[str, Any]:
    """Rows point to their statistic, part and method by index; definitions are on the page."""
    evaluation = view.evaluation
    places: dict[str, dict[str, int]] = {"statistics": {}, "parts": {}, "methods": {}, "whys": {}}

    def at(kind: str, text: str) -> int:
        return places[kind].setdefault(text, len(places[kind]))

    rows = []
    parts = {
        i: _part(evaluation.subsets[i])
        for i in {evaluation.estimates[j].subset for j in view.shown}
    }
    for i in view.shown:
        estimate = evaluation.estimates[i]
        rows.append(
            [
                at("statistics", estimate.text),
                at("parts", parts[estimate.subset]),
                finite(estimate.value),
                finite(estimate.low),
                finite(estimate.high),
                estimate.n,
                at("methods", literal(estimate.method)),
                at("whys", literal(estimate.why)),
            ]
        )
    return {
        "level": evaluation.options.get("level", LEVEL),
        "statistics": [[text, anchors[literal(text)]] for text in places["statistics"]],
        **{kind: [*map(harmless, places[kind])] for kind in ("parts", "methods", "whys")},
        "rows": rows,
    }


def _part(subset: Subset) -> str:
    """Whose numbers these are, and of which part of the data."""
    alone = subset.subject == PEOPLE and subset.against == AMONG_PEOPLE
    against = "" if alone else f" against {subset.against}"
    return f"{literal(subset.system)}{literal(against)}, {part_name(subset)}"


def _sliders(sections: Sequence[Section]) -> dict[str, Any]:
    sliders = [b for section in sections for b in section.blocks if isinstance(b, Slider)]
    return {
        slider.id: {
            "coverage": _short(slider.coverage),
            "rate": _short(slider.rate),
            "upper": _short(slider.upper),
            "texts": slider.texts,
        }
        for slider in sliders
    }


def benches_of(sections: Sequence[Section]) -> list[Bench]:
    """The tables of a page that its reader can move."""
    return [b for section in sections for b in section.blocks if isinstance(b, Bench)]


def _short(line: Sequence[float]) -> list[float | None]:
    """Places on a screen, for which four decimals are enough."""
    return [finite(round(x, 4)) for x in line]
