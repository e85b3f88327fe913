# Everything here sets itself up: it needs Python 3.11 or newer, and nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types docs check bench schemas clean

demo: $(VENV)/installed
	$(BIN)/elcurate demo

test: $(VENV)/installed-test
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

docs: $(VENV)/installed-dev
	$(BIN)/sphinx-build -q -E -W --keep-going -b html docs docs/_build/html

check: test lint types docs

bench: $(VENV)/installed-bench
	$(BIN)/python -m tests.benchmarks

schemas: $(VENV)/installed
	$(BIN)/python -m elcurate.report.schemas schemas

clean:
	rm -rf $(VENV) docs/_build elcurate-demo

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "elcurate needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-%: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[$*]'
	@touch $(VENV)/installed $@
