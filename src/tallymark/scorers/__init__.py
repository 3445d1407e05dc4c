"""Reference scorers: what simple models reach that are trained on the texts at hand."""
