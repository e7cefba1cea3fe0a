# Two commands for a fresh machine: `make demo` and `make test`. Both make their own virtual environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

# Tests run on all cores. Each core gets a contiguous block, because neighbouring tests share compiled code. Tests that
# send signals, start workers or measure time run alone. The engine's tests run once more in plain Python.
TOGETHER := --numprocesses logical --maxprocesses 8 --dist worksteal
PLAIN := tests/oracle/test_engine.py tests/oracle/test_rave.py tests/strategies tests/core

.PHONY: demo test stress format bench clean

demo: $(READY)
	$(BIN)/python examples/compare_strategies.py

test: $(READY)
	$(BIN)/ruff format --check src tests examples
	$(BIN)/ruff check src tests examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/ramify warm
	$(BIN)/pytest -m 'not alone and not stress' $(TOGETHER)
	$(BIN)/pytest -m 'alone and not stress'
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -m 'not alone and not compiled_only' $(TOGETHER) $(PLAIN)

# What is too slow for every change: hundreds of kills, and all of the engine's tests in plain Python.
stress: $(READY)
	$(BIN)/ramify warm
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -m 'not alone' $(TOGETHER) $(PLAIN)
	$(BIN)/pytest -m stress

format: $(READY)
	$(BIN)/ruff format src tests examples
	$(BIN)/ruff check --fix src tests examples

bench: $(READY)
	$(BIN)/ramify bench

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,openspiel,gdl,ludii]'
	touch $@

clean:
	rm -rf $(VENV) out
