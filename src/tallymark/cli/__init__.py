"""The command line: one file per command, each parses, calls the package and renders.

May import everything but web; whatever is heavy is imported when a command runs.
"""
