"""Functions of two arrays, as users write them."""

import numpy as np


def qwk(gold, system):
    return 1 - np.mean((gold - system) ** 2) / (
        gold.var() + system.var() + (gold.mean() - system.mean()) ** 2
    )


def same(gold, system):
    return np.mean(gold == system)


def raises(gold, system):
    raise ZeroDivisionError("no scores")


def words(gold, system):
    return "good"


def pair(gold, system):
    return gold.mean(), system.mean()


number = 3
