"""What a coefficient hides: paradoxes, single responses, position, which metric to trust."""
