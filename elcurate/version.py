"""The version of this package."""

__version__ = VERSION = "0.1.0"
