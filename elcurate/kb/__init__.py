"""Entity identifiers: their syntax, and what a snapshot of a knowledge base says of them."""
