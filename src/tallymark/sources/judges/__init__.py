"""Files that the tools of LLM judges write: each becomes a table whose roles are known."""
