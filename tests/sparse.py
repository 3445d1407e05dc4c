"""A set of sparse ratings like CeBaB's: a pool of raters, of whom three to five rate a response."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Sparse(NamedTuple):
    """Ratings, raters by responses, NaN missing, and what is known of each response."""

    raters: tuple[str, ...]
    ratings: Floats
    columns: dict[str, Any]
    most: int

    @property
    def number(self) -> NDArray[np.int64]:
        """How many ratings each response has."""
        return (~np.isnan(self.ratings)).sum(axis=0)

    @property
    def slots(self) -> list[str]:
        """The slots by the names that --human takes."""
        return [f"given_{i}@who_{i}" for i in range(self.most)]


def sparse_ratings(
    responses: int, *, raters: int = 10, fewest: int = 3, most: int = 5, seed: int = 0
) -> Sparse:
    """Rate each response by a few of a pool, the sixth of whom rates at random."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1.1, responses)
    errors = rng.normal(0, 0.6, (raters, responses))
    ratings = np.clip(np.round(truth + errors), 1, 5)
    if raters > 5:
        ratings[5] = rng.integers(1, 6, responses)
    number = rng.integers(fewest, most + 1, responses)
    order = rng.random((raters, responses)).argsort(axis=0)
    ratings[order >= number] = np.nan
    place = np.arange(responses)
    columns = {
        "text": np.array([f"t{i}" for i in place]),
        "engine": np.clip(np.round(truth + rng.normal(0, 0.5, responses), 1), 1, 5),
        "essay": np.array(list("abc"))[place % 3],
        "gender": np.array(["f", "m"])[place % 2],
    }
    return Sparse(tuple(f"r{i + 1}" for i in range(raters)), ratings, columns, most)


def as_wide(sparse: Sparse) -> dict[str, Any]:
    """One column a rater."""
    return {**dict(zip(sparse.raters, sparse.ratings, strict=True)), **sparse.columns}


def as_long(sparse: Sparse) -> list[dict[str, Any]]:
    """One row a rating, in no order; every system is a rater too."""
    keys = ("text", "essay", "gender")
    systems = {name: v for name, v in sparse.columns.items() if name not in keys}
    rows = []
    for who, given in [*zip(sparse.raters, sparse.ratings, strict=True), *systems.items()]:
        for i in np.flatnonzero(~np.isnan(given)):
            own = {name: str(sparse.columns[name][i]) for name in keys}
            rows.append({"who": who, "given": float(given[i]), **own})
    return [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]


def as_slots(sparse: Sparse, *, in_place: bool = False) -> dict[str, Any]:
    """Pairs of columns, filled from the left in the order of raters, or each by one rater."""
    responses = sparse.ratings.shape[1]
    scores = np.full((sparse.most, responses), np.nan)
    names = np.full((sparse.most, responses), None, dtype=object)
    for i in range(responses):
        given = np.flatnonzero(~np.isnan(sparse.ratings[:, i]))
        at = given if in_place else np.arange(given.size)
        scores[at, i] = sparse.ratings[given, i]
        names[at, i] = [sparse.raters[rater] for rater in given]
    slots = {f"given_{i}": scores[i] for i in range(sparse.most)}
    return {**slots, **{f"who_{i}": names[i] for i in range(sparse.most)}, **sparse.columns}
