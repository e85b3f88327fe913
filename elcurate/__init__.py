"""Make, repair, relabel and score entity-linking gold corpora."""
