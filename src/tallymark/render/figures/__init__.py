"""Figures as SVG: drawn without a browser, readable without JavaScript.

Each function takes plain records or a part of an evaluation and returns a :class:`Drawn`, which
is an SVG or the reason why there is none. The page alone imports them.
"""
