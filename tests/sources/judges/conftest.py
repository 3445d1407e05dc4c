"""The files of judges' tools; the scripts that make them need those tools, and no test runs them."""

from tests.cli.conftest import run

__all__ = ["run"]
collect_ignore = ["make"]
