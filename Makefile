# On a fresh machine with Python 3.11 or newer and make: `make run`, then `make test`.
# Everything goes into .venv, at the versions of constraints.txt; a stamp in it says what is installed.

VENV := .venv
PYTHON_IN := $(VENV)/bin/python
PIP := $(PYTHON_IN) -m pip --disable-pip-version-check --quiet install --constraint constraints.txt
PINS := constraints.txt pyproject.toml
EVERYDAY := not browser and not slow
# Slow property tests stand side by side: who is done takes from the other.
SPREAD := -n 2 --dist worksteal

.PHONY: help run test test-all lint bench picture install clean

help:
	@echo "make run       install, then rule the sample game once"
	@echo "make test      install the test tools, then all tests but those marked browser or slow"
	@echo "make test-all  those too (browser tests need chromium)"
	@echo "make lint      ruff, its format, mypy"
	@echo "make bench     how fast: a million entries, a cycle in which nothing changed, a season, larger games, form pages"
	@echo "make picture   var/master.xlsx as pictures in build/picture"
	@echo "make clean     remove .venv, caches, build and out; never var, which holds the archive"

run: $(VENV)/core.stamp
	@$(PYTHON_IN) -m pipeline run

test: $(VENV)/test.stamp
	@$(PYTHON_IN) -m pytest $(SPREAD) -m "$(EVERYDAY)"

test-all: $(VENV)/test.stamp
	@$(PYTHON_IN) -m pytest $(SPREAD)

lint: $(VENV)/test.stamp
	@$(PYTHON_IN) -m ruff check .
	@$(PYTHON_IN) -m ruff format --check .
	@$(PYTHON_IN) -m mypy

bench: $(VENV)/core.stamp
	@$(PYTHON_IN) benchmarks/bench_counting.py
	@$(PYTHON_IN) benchmarks/bench_cycle.py --imports
	@$(PYTHON_IN) benchmarks/bench_fold.py
	@$(PYTHON_IN) benchmarks/bench_scale.py 400 4000
	@$(PYTHON_IN) benchmarks/bench_forms.py

picture:
	@scripts/picture var/master.xlsx build/picture

install: $(VENV)/test.stamp

clean:
	rm -rf $(VENV) build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp:
	@python="$$(scripts/find-python)" && echo "making $(VENV) with $$python" && "$$python" -m venv --clear $(VENV)
	@touch $@

# The build tool is pinned like all the rest, so nothing is fetched behind pip's back.
$(VENV)/core.stamp: $(VENV)/made.stamp $(PINS)
	@echo "installing (about a minute the first time)"
	@$(PIP) setuptools
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/test.stamp: $(VENV)/core.stamp
	@echo "installing the test tools"
	@$(PIP) --no-build-isolation --editable ".[test]"
	@touch $@
