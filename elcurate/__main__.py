"""``python -m elcurate``."""

from elcurate.cli.main import run

if __name__ == "__main__":
    run()
