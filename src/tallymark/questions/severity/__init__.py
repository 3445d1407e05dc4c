"""How severe raters are, and systems as one more rater."""
