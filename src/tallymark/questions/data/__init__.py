"""Data: what was read, what was left out and why, and which scores were given."""
