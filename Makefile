# The one runner. Each target makes what it needs: `make demo` and `make test` work on a fresh
# machine with make and Python 3.11 or newer. PYTHON=... chooses the interpreter.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
NEWEST := python3 python3.14 python3.13 python3.12 python3.11
MODERN := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for p in $(NEWEST); do $$p $(MODERN) 2>/dev/null && echo $$p && exit; done; echo python3)
PIP := $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check
OUT ?= demo-report
ARGS ?=

# One thread is faster for these small matrices, and two test runs do not fight over the cores.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

.PHONY: help demo test slow versions lowest fix docs bench clean compile

help:
	@echo 'make demo    evaluate the bundled data and write $(OUT)/'
	@echo 'make test    every check: format, lint, types, import contract, tests with doctests'
	@echo 'make slow    simulated coverage of the intervals (minutes)'
	@echo 'make versions  the suite on the lowest and the newest dependencies, and on every Python here'
	@echo 'make fix     repair what a tool can repair'
	@echo 'make docs    the documentation as a site, build/docs/index.html'
	@echo 'make bench   speed beside other programs'
	@echo 'make clean   remove the environment and everything generated'
	@echo 'ARGS=...     is passed on to the command, for example make test ARGS="-k kappa -x"'

demo: $(VENV)/.core compile
	$(BIN)/tallymark demo --out $(OUT) $(ARGS)

test: $(VENV)/.dev compile
	$(BIN)/ruff format --check --quiet . || { echo 'the format differs: run make fix' >&2; exit 1; }
	$(BIN)/ruff check --quiet .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup $(ARGS)

slow: $(VENV)/.dev compile
	$(BIN)/python -m pytest -q -m slow $(ARGS)

versions: lowest
	PYTHON=$(PYTHON) .ci/versions newest $(ARGS)

lowest:
	PYTHON=$(PYTHON) .ci/versions lowest $(ARGS)

fix: $(VENV)/.dev
	$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .
	$(BIN)/python -m tests.docs.pages
	$(BIN)/python -m tests.docs.blocks
	@$(BIN)/python -m tests.advice

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -W --keep-going docs build/docs $(ARGS)
	@echo 'build/docs/index.html'

bench: $(VENV)/.dev compile
	$(BIN)/python benchmarks/run.py $(ARGS)

clean:
	rm -rf $(VENV) $(VENV)-* $(OUT) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# An editable install leaves our own code uncompiled, and some machines write no byte code by
# themselves; done before every run because the sources change.
compile: $(VENV)/.core
	@$(BIN)/python -m compileall -q src

$(VENV)/.core: pyproject.toml
	@$(PYTHON) $(MODERN) 2>/dev/null || { echo 'Tallymark needs Python 3.11 or newer; "$(PYTHON)" is' \
	  "$$($(PYTHON) --version 2>&1 | tail -n 1). Name another one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo '"$(PYTHON)" cannot make environments:' \
	  'its ensurepip module is missing. Install it, on Debian and Ubuntu with: apt-get install python3-venv' >&2; exit 1; }
	@echo 'installing Tallymark into $(VENV) ...'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo 'installing the tools of the checks into $(VENV) ...'
	@$(PIP) -e '.[dev]'
	@touch $@

$(VENV)/.docs: $(VENV)/.core
	@echo 'installing what builds the documentation into $(VENV) ...'
	@$(PIP) -e '.[docs]'
	@touch $@
