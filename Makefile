# Needs Python 3.11 or newer and make, nothing else. Another Python: make setup PYTHON=/path/to/python3
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
# A .venv cannot be moved: its stamps carry the place it was made at, so that a moved checkout builds it anew.
MADE := .venv/.made-$(shell pwd | cksum | cut -d' ' -f1)
BUILT_FROM := pyproject.toml tools/setup_venv.py

# One stamp for each folder of tests that brings its own node packages; none where there is no npm.
NODE := $(if $(shell command -v npm 2>/dev/null),$(patsubst %/package.json,%/node_modules/.made,\
	$(wildcard tests/package.json tests/*/package.json)))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup play test lint clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

setup: $(MADE)-base  ## build .venv with the command .venv/bin/arbitre in it
	@echo "ready: $(BIN)/arbitre"

play: $(MADE)-web  ## the virtual table, in the browser: no Raspberry Pi needed
	@$(BIN)/arbitre table --open

test: lint $(NODE)  ## lint, types, then all tests, quick ones first (PYTEST="-k word" for some of them)
	$(BIN)/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder -rs $(PYTEST)

lint: $(MADE)-web $(MADE)-dev  ## ruff and mypy only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

clean:  ## remove all that the other targets made
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist *.egg-info tests/node_modules tests/*/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE)-base: $(BUILT_FROM)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "setup: \
	'$(PYTHON)' is no Python 3.11 or newer; install one, or name it: make setup PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" tools/setup_venv.py base
	@touch $@

$(MADE)-web $(MADE)-dev: $(MADE)-base
	@$(BIN)/python tools/setup_venv.py $(@:$(MADE)-%=%)
	@touch $@

%/node_modules/.made: %/package.json
	cd $* && if [ -f package-lock.json ]; then npm ci --no-audit --no-fund; else npm install --no-audit --no-fund; fi
	@touch $@
