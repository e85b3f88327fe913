"""Measures as values, and how they are counted."""
