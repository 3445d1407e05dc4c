"""Plans: how many responses, double scores, raters or labels a question needs.

Each function takes a pilot (a file, frame or columns, with the options of ``tm.evaluate``) or
assumed values, and returns an Evaluation of the kind "plan": its findings are the answer, its
table shows the same for other sizes, its notes are the assumptions.
"""

from tallymark.analyses.planning.agreement import difference, settle, width
from tallymark.analyses.planning.labels import certify
from tallymark.analyses.planning.people import double_scores, raters

__all__ = ["certify", "difference", "double_scores", "raters", "settle", "width"]
