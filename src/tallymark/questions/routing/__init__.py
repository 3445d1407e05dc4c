"""Routing: accept scores with a guarantee, leave the others to people, and watch over it."""
