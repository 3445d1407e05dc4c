"""The rows, by family."""
