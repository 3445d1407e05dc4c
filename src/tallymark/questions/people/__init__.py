"""People: how they agree with each other, and whether a system agrees with them as well."""
