# Everything is set up in .venv: Python 3.11 or newer and make are all that is needed. .venv/ready is dehusk as a user has
# it, .venv/tools what tests it as well.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-spark test-bench lint lint-extension screenshots types pytest fuzz audit train accuracy imports clean

demo: .venv/ready
	$(BIN)/python examples/demo_site.py build/demo/site
	$(BIN)/dehusk clean build/demo/site -o build/demo/text
	$(BIN)/dehusk show build/demo/site -o build/demo/report.html
	$(BIN)/dehusk template build/demo/site/shop/pier-lantern.html --root build/demo/site -o build/demo/template
	@echo "The pages are in build/demo/site, their text in build/demo/text. Open build/demo/report.html in a browser."

# Types are checked while tests wait.
test: lint
	@$(MAKE) --no-print-directory --jobs=2 types pytest

lint: .venv/tools
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo --no-cache

# Mozilla's linter for browser extensions; needs Node.
lint-extension:
	@if command -v web-ext >/dev/null; then web-ext lint --source-dir extension; \
	elif command -v npx >/dev/null; then npx --yes web-ext@9 lint --source-dir extension; \
	else echo "There is no Node here, so the extension was not linted: install the packages nodejs and npm."; fi

types: .venv/tools
	$(BIN)/mypy

# In as many processes as tests/conftest.py says; tests of a file stay together, since they share what is slow to make.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
TESTS ?=

pytest: .venv/tools
	$(PYTEST) $(TESTS)

# The tests on a Spark cluster of a few processes: half a gigabyte to install once, and Java 17.
test-spark: .venv/spark
	$(BIN)/python -m pytest tests/jobs/test_spark.py

.venv/spark: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group spark
	touch $@

# The tests of dehusk bench, with the libraries and tools that it runs: 300 megabytes to install once.
test-bench: .venv/bench
	$(BIN)/python -m pytest tests/bench

.venv/bench: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@

# Looks for inputs that break promises, for SECONDS in all; goes on from what earlier runs found in build/fuzz. With a SEED
# other than 0 it tries the same inputs each time.
SECONDS ?= 60
SEED ?= 0

fuzz: .venv/tools
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check --group fuzz 2>/dev/null; \
	then PYTHONHASHSEED=0 $(BIN)/python fuzz/run.py --seconds $(SECONDS) --seed $(SEED); \
	else echo "atheris cannot be installed for this Python: nothing is fuzzed."; fi

# Whether a version of what dehusk needs is known to be unsafe. Asks the package index, so it needs a network.
audit: .venv/tools
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit 2>/dev/null; \
	then $(BIN)/python -m pip_audit --skip-editable --progress-spinner off; \
	else echo "pip-audit cannot be installed: nothing is audited."; fi

# What training keeps, to measure the data and to train the same once.
CACHE ?= build/training
# How often all brands are left out, in other folds each time: 5 for final figures.
ASSIGNMENTS ?= 1

# The weights of the method evidence, from the data beside the clone: the same each time. Takes about 20 minutes.
train: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group train
	$(BIN)/python training/train.py ../shared/data -o src/dehusk/methods/evidence/weights.json --cache $(CACHE)

# How good such weights are on sites and pages left out of training. Goes on where it was stopped.
accuracy: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group train
	$(BIN)/python training/accuracy.py ../shared/data --score ../shared/tools/score.py --assignments $(ASSIGNMENTS) --cache $(CACHE)

# The picture of which room imports which.
imports: .venv/tools
	$(BIN)/python docs/draw_imports.py src/dehusk -o docs/imports.svg

# The pictures of the documentation that a browser takes.
screenshots: .venv/tools
	PYTHONPATH=tests:examples $(BIN)/python docs/screenshots.py docs

# The package is installed again when what is compiled or declared changes.
.venv/ready: pyproject.toml setup.py $(wildcard src/dehusk/kernels/*.p*)
	@echo "Setting up .venv: libraries are downloaded and the fast loops compiled. The first time takes a minute."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# Linters, a browser driver and all that tests compare with: 600 megabytes.
.venv/tools: .venv/ready
	@echo "Installing the tools that tests need: 600 megabytes the first time."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	touch $@

clean:
	rm -rf .venv build src/dehusk.egg-info src/dehusk/kernels/*.so
