"""Profiles, slices, statistics and the evaluation itself."""
