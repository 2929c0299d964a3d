# make chat   the chat page on http://127.0.0.1:8501
# make test   style, types, import rules and tests
# Both make the environment .venv first (make install), which is quick once it is there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The crowd task (docs/crowd.md) has an environment of its own, for this Python.
CROWD_VENV := .venv-crowd
CROWD_PYTHON ?= python3.11
# Tests run on this many processes.
JOBS ?= 2

.PHONY: install chat test crowd clean
.DEFAULT_GOAL := install

install: $(STAMP)

# torch goes first and alone: the pin decides the build before anything else asks for one.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "kbqa needs Python 3.11 or later; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)." >&2; \
	  echo "Name another one: make $(or $(MAKECMDGOALS),install) PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
	  echo "'$(PYTHON) -m venv' failed; on Debian and Ubuntu install the package python3-venv." >&2; \
	  rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --upgrade pip
	$(BIN)/python -m pip install torch==2.13.0
	$(BIN)/python -m pip install -e '.[ui,train,dev]'
	@touch $@

chat: install
	$(BIN)/kbqa ui

test: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict kbqa freebase_stub
	$(BIN)/lint-imports
	$(BIN)/pytest -n $(JOBS)

crowd:
	PYTHONPATH=ui $(CROWD_PYTHON) -m crowd.install $(CROWD_VENV)

clean:
	rm -rf $(VENV) $(CROWD_VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find kbqa freebase_stub ui tests -name __pycache__ -type d -prune -exec rm -rf {} +
