"""Decisions at pass marks and grade boundaries."""
