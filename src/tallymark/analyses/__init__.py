"""The public functions, and the pages that show what they found: questions put together."""
