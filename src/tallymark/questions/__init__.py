"""One folder a question: ``compute`` (numbers), ``say`` (sentences), ``view`` (a section).

Questions do not use each other; ``analyses`` puts them together.
"""
