"""Routing from Python, as ``tallymark.route``: certify, apply, monitor."""

from tallymark.evaluation.routing import Certified
from tallymark.evaluation.routing import certify_routing as certify
from tallymark.evaluation.routing_apply import Decisions, write_decisions
from tallymark.evaluation.routing_apply import apply_routing as apply
from tallymark.evaluation.routing_artifact import Routing
from tallymark.evaluation.routing_calibration import Terms
from tallymark.evaluation.routing_monitor import Watched
from tallymark.evaluation.routing_monitor import monitor_routing as monitor
from tallymark.selective.cost import Prices

__all__ = [
    "Certified",
    "Decisions",
    "Prices",
    "Routing",
    "Terms",
    "Watched",
    "apply",
    "certify",
    "monitor",
    "write_decisions",
]
