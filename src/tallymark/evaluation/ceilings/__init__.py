"""Ceilings: what agreement can be attained on these data, and where each system stands."""
