"""Benchmarks: each measures elcurate and a peer in the same run."""
