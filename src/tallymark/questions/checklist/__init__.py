"""What standards and law ask for: what this evaluation documents, and what is missing."""
