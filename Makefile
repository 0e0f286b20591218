# Croupier: run, test and maintain. Needs Python 3.11 or newer with venv, and make; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
NODE := tests/contract/node_modules
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help run fast play test soak docs node openapi bench fmt lock clean

help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' Makefile

run: $(VENV)/run.stamp ## set up and start the service on http://127.0.0.1:8000
	@exec $(BIN)/gunicorn --config gunicorn.conf.py --pythonpath "$$($(BIN)/python -m scripts.fast --found)"

fast: $(VENV)/dev.stamp ## compile the engine, for `make run` to use from then on; needs a C compiler
	$(BIN)/python -m scripts.fast

play: .venv-play/stamp ## set up and play in this terminal, while the service is running
	@.venv-play/bin/python examples/terminal.py --url http://127.0.0.1:$(or $(PORT),8000)

test: $(VENV)/dev.stamp docs node ## set up and run every check: format, lint, types, documentation, tests with coverage
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/bandit --quiet --recursive api engine app.py gunicorn.conf.py
	$(BIN)/pytest --numprocesses=2 --dist=loadfile --cov=engine --cov-branch --cov-report=term-missing:skip-covered

soak: $(VENV)/dev.stamp ## the laws, the live tables, faults and hostile input again, for much longer
	CROUPIER_SOAK=1 $(BIN)/pytest --numprocesses=2 --dist=worksteal tests/engine/test_laws.py tests/engine/test_follow_law.py \
		tests/engine/test_known_law.py tests/api/test_work.py tests/api/test_seats_at_random.py tests/test_tables_that_live.py \
		tests/faults tests/hostile tests/engine/test_fast.py

docs: .venv-docs/stamp ## set up and build the documentation's pages into site/
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet --strict

node: $(NODE)/stamp ## set up what checks the contract with node

openapi: $(VENV)/run.stamp ## write openapi.yaml and the Postman collection from the code
	$(BIN)/python -m scripts.contract

bench: $(VENV)/dev.stamp ## measure the service on this machine
	bash bench/run.sh

fmt: $(VENV)/dev.stamp ## format the code and mend what ruff can mend
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

lock: $(VENV)/dev.stamp ## take the newest versions that the .in files allow
	$(LOCK) --upgrade requirements.in --output-file requirements.txt
	$(LOCK) --upgrade requirements-otel.in --output-file requirements-otel.txt
	$(LOCK) --upgrade requirements-dev.in --output-file requirements-dev.txt
	$(LOCK) --upgrade examples/requirements.in --output-file examples/requirements.txt
	$(LOCK) --upgrade docs/requirements.in --output-file docs/requirements.txt

clean: ## remove what the targets above made; data under var/ stays
	rm -rf $(VENV) $(NODE) .venv-play .venv-docs .venv-bench site build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Croupier needs Python 3.11 or newer; say which with: make PYTHON=python3.x ..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make virtual environments; install its venv package (Debian, Ubuntu: python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt | $(VENV)/bin/python
	$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements.txt requirements-otel.txt requirements-dev.txt | $(VENV)/bin/python
	$(PIP_INSTALL) -r requirements-dev.txt
	@touch $(VENV)/run.stamp $@

.venv-play/stamp: examples/requirements.txt
.venv-docs/stamp: docs/requirements.txt
.venv-play/stamp .venv-docs/stamp: | $(VENV)/bin/python
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(NODE)/stamp: tests/contract/package-lock.json | $(VENV)/dev.stamp
	PATH="$(abspath $(BIN)):$$PATH" npm ci --prefix tests/contract --silent
	@touch $@
