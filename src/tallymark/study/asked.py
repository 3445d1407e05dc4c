"""Asked: what an evaluation is asked beyond how to read the data and how to make intervals."""

from typing import get_args

from msgspec import Struct

from tallymark.defaults import FEW, LAMBDA
from tallymark.diagnosis.cut_models import ModelName
from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.study.critical import check_critical
from tallymark.study.formulas import formulas_for, is_of_label
from tallymark.study.request import Request
from tallymark.study.shared import RunsRule

GREATEST = 1e12
"""A greater variance of errors than any score has."""


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked: ``statistics`` names those that are computed alone.

    ``cuts`` are pass marks or grade boundaries on the gold's scale: a score that reaches one has
    passed it; ``cut_model`` joins true scores, ratings and the system there, None for the normal
    one. ``lambda_`` is the share of the score range from which an error is critical; ``critical``
    the points in place of it, whose share follows from the scale. Agreement is reported among these
    shares of the ``surest`` responses, among the usual ones where none is named. ``runs`` says what
    the score of a system is that ran several times.
    """

    statistics: tuple[str, ...] = ()
    cross: bool = False
    error_variance: float | None = None
    small_group: int = FEW
    cuts: tuple[float, ...] = ()
    cut_model: ModelName | None = None
    lambda_: float = LAMBDA
    critical: float | None = None
    surest: tuple[float, ...] = ()
    runs: RunsRule = "each"

    @classmethod
    def of(cls, request: Request) -> "Asked":
        """What a request asks beyond reading and intervals."""
        check_critical(request)
        return cls(**request.some(cls.__struct_fields__))

    def __post_init__(self) -> None:
        for name in self.statistics:  # a misspelt name fails before the data are read
            if not is_of_label(name):  # the scale will tell
                formulas_for(Scale((0.0, 1.0)), [name])
        if self.error_variance is not None and not self.error_variance >= 0:
            raise OptionError(f"error_variance must not be negative, got {self.error_variance}")
        if self.error_variance is not None and self.error_variance > GREATEST:
            raise OptionError(
                f"error_variance must be {GREATEST:g} or less, got {self.error_variance}"
            )
        if self.cut_model not in (None, *get_args(ModelName)):
            known = " or ".join(get_args(ModelName))
            raise OptionError(f"unknown cut model {self.cut_model!r}; choose {known}")
        if not 0 < self.lambda_ <= 1:
            raise OptionError(f"lambda must lie above 0 and at most at 1, got {self.lambda_:g}")
        for share in self.surest:
            if not 0 < share < 1:
                raise OptionError(f"surest takes shares between 0 and 1, got {share:g}")
