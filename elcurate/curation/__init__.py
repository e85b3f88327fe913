"""Versioned corrections of corpora: patches, and the public corpora that they are for."""
