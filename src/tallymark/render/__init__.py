"""Results become text, tables, files and pages: the only room that rounds.

Knows blocks, not questions: ``questions`` and ``analyses`` stand above it. Rich and jinja2 are imported only where they are used.
"""
