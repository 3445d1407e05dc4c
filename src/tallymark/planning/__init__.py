"""How much data is needed: sizes of samples, from assumed values or from a pilot."""
