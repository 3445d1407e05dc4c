"""Routing from Python, as ``tallymark.route``: certify, apply, monitor."""

from tallymark.evaluation.routing.artifact import Routing
from tallymark.evaluation.routing.certified import Certified
from tallymark.evaluation.routing.certified import certify_routing as certify
from tallymark.evaluation.routing.decisions import Decisions, write_decisions
from tallymark.evaluation.routing.decisions import apply_routing as apply
from tallymark.evaluation.routing.watched import Watched
from tallymark.evaluation.routing.watched import monitor_routing as monitor

__all__ = [
    "Certified",
    "Decisions",
    "Routing",
    "Watched",
    "apply",
    "certify",
    "monitor",
    "write_decisions",
]
