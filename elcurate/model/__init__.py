"""The data: corpora, categories, spans, changes, tables."""
