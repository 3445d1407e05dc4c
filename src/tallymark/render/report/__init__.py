"""The report: one HTML file made of an Evaluation alone, the same bytes each time.

``analyses.pages.report`` is the way in. Each section is a file that turns an Evaluation into blocks
(``render.model``); the templates turn blocks into markup. Figures come from ``render.figures``.
"""
