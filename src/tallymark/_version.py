"""The version, kept here because reading it from the installed metadata costs 100 ms."""

__version__ = "0.1.0"
