"""When two annotations are the same."""
