"""What a system's confidence is worth."""
