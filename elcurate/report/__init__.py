"""Renderers: data in, text out."""
