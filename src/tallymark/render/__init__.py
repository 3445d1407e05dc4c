"""Results become text, tables, files and pages: the only room that rounds.

May import everything but cli and web; rich and jinja2 are imported only where they are used.
"""
