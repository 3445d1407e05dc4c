"""The report: one HTML file made of an Evaluation alone, the same bytes each time.

``html.report`` is the way in. Each section is a file that turns an Evaluation into blocks
(``model``); the templates turn blocks into markup. Figures come from ``render.figures``.
"""
