# Every target does its own set-up in .venv; nothing outside this folder is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
KEEP ?=
CONSTRAINTS ?=

.PHONY: all test tour lint types unit docs docs-check clean

all: test

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("hermes-git needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(CONSTRAINTS),-c $(CONSTRAINTS)) -e '.[dev]'
	touch $(STAMP)

tour: $(STAMP)  ## play the whole loop in a scratch folder
	$(BIN)/hermes-git tour $(if $(KEEP),--keep $(KEEP))

test: lint types unit  ## everything CI runs

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/pytest -q -n auto

docs: $(STAMP)  ## write the generated pages
	$(BIN)/python -m hermes_git.book

docs-check: $(STAMP)
	$(BIN)/python -m hermes_git.book --check

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
