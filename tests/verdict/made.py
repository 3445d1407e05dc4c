"""Evaluations made by hand, for tests of the verdict."""

from msgspec.structs import replace

from tallymark.questions.verdict.criteria import criterion as sentence
from tallymark.results import Data, Estimate, Evaluation, Key, Subset, system_called
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import Limit, Policy

QWK = ("cohen_kappa", {"weights": "quadratic"})
SMD = ("smd", {"kind": "unpooled"})


def number(of, value, low, high, *, n=400, se=None, **more):
    name, params = of
    se = (high - low) / 3.92 if se is None else se
    return Estimate(key=Key(name, **params), value=value, low=low, high=high, n=n, se=se, **more)


def evaluation(*found, systems=("engine",), findings=(), **options):
    """Of pairs of a subset (system, keywords) and its estimates."""
    subsets, estimates = [], []
    for i, (where, own) in enumerate(found):
        fields = {"subject": system_called("engine"), "n": own[0].n if own else 0, **where}
        subsets.append(Subset(id=f"{i}", **fields))
        estimates += [replace(one, subset=i) for one in own]
    return Evaluation(
        kind="evaluate",
        options={"systems": list(systems), "level": 0.95, "resolve": "first", **options},
        data=Data(read=400, used=400, scale="1:4"),
        definitions={},
        subsets=tuple(subsets),
        estimates=tuple(estimates),
        findings=tuple(findings),
    )


def policy(*limits, **more):
    return Policy(name="own", version="1", title="own", limits=limits, **more)


def limit(statistic="cohen_kappa[quadratic]", title="QWK", **more):
    return Limit(statistic=statistic, title=title, **more)


def told(found):
    """The verdict of an evaluation that has one."""
    assert found.verdict is not None
    return found.verdict


def verdict_of(found, by):
    return told(judged(found, by))


def criterion(found, *limits, **more):
    """The first criterion of the first system."""
    return verdict_of(found, policy(*limits, **more)).systems[0].criteria[0]


def said(found, *limits, **more):
    """What is said of the first limit on the first system."""
    made = judged(found, policy(*limits, **more))
    return str(sentence(made, told(made).systems[0].criteria[0]))


def overall(value, low, high, of=QWK, **more):
    return evaluation(({}, [number(of, value, low, high, **more)]))


def groups(*given, column="gender"):
    """SMD of groups: (name, value, half-width, n)."""
    return evaluation(
        *(
            (
                {"group_column": column, "group": name},
                [number(SMD, value, value - half, value + half, n=n)],
            )
            for name, value, half, n in given
        ),
        groups=[column],
    )
