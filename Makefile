# Everything is installed in .venv. You need only Python 3.11 or newer and make. .venv/ready is dehusk as a
# user has it; .venv/tools adds the tools for tests.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-spark test-bench test-integrations lint lint-extension screenshots types pytest fuzz audit sbom train accuracy imports clean

demo: .venv/ready
	$(BIN)/python examples/demo_site.py build/demo/site
	$(BIN)/dehusk clean build/demo/site -o build/demo/text
	$(BIN)/dehusk show build/demo/site -o build/demo/report.html
	$(BIN)/dehusk template build/demo/site/shop/pier-lantern.html --root build/demo/site -o build/demo/template
	@echo "The pages are in build/demo/site, their text in build/demo/text. Open build/demo/report.html in a browser."

# The type checker and the tests run in parallel.
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
	else echo "The extension was not linted: Node is missing. Install the packages nodejs and npm."; fi

types: .venv/tools
	$(BIN)/mypy

# tests/conftest.py sets the number of processes. Tests of one file run in one process, because they share slow fixtures.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
TESTS ?=

pytest: .venv/tools
	$(PYTEST) $(TESTS)

# Tests on a local Spark cluster. Needs Java 17, and installs half a gigabyte once.
test-spark: .venv/spark
	$(BIN)/python -m pytest tests/jobs/test_spark.py

.venv/spark: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group spark
	touch $@

# Tests of dehusk bench with the libraries and tools that it compares. Installs 300 megabytes once.
test-bench: .venv/bench
	$(BIN)/python -m pytest tests/bench

.venv/bench: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@

# Tests of an adapter with its library, in an environment of its own: make test-integrations NAME=scrapy. It has what .venv
# has, and the packages of the extra of this name before it, because these libraries need different versions of others.
NAME ?= scrapy

test-integrations: build/venv-$(NAME)/ready
	build/venv-$(NAME)/bin/python -m pytest tests/integrations/test_$(NAME).py

build/venv-%/ready: pyproject.toml .venv/tools
	@echo "Installing $* in build/venv-$*."
	$(BIN)/python -m venv build/venv-$*
	$(BIN)/python -c "import sysconfig; print('import site; site.addsitedir(%r)' % sysconfig.get_path('purelib'))" \
	  >"$$(build/venv-$*/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/zz_tools.pth"
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$*'], sep='\n')" \
	  >build/venv-$*/requirements.txt
	build/venv-$*/bin/python -m pip install --quiet --disable-pip-version-check -r build/venv-$*/requirements.txt
	touch $@

# Searches for inputs that break guarantees, for SECONDS in total. Continues from the corpus of earlier runs in build/fuzz.
# With a SEED other than 0, every run tries the same inputs.
SECONDS ?= 60
SEED ?= 0

fuzz: .venv/tools
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check --group fuzz 2>/dev/null; \
	then PYTHONHASHSEED=0 $(BIN)/python fuzz/run.py --seconds $(SECONDS) --seed $(SEED); \
	else echo "Nothing was fuzzed: atheris cannot be installed for this Python."; fi

# Lists the licences of all dependencies, and checks them for known vulnerabilities. The second needs a network.
audit: .venv/tools
	$(BIN)/python release/dependencies.py licences
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit 2>/dev/null; \
	then $(BIN)/python -m pip_audit --skip-editable --progress-spinner off; \
	else echo "Nothing was audited: pip-audit cannot be installed."; fi

# Writes what an installed dehusk consists of, as CycloneDX: published with a release.
sbom: .venv/tools
	@mkdir -p build
	$(BIN)/python release/dependencies.py sbom -o build/dehusk.cdx.json

# Cached measurements and models of training.
CACHE ?= build/training
# How many times to assign brands to folds: 5 for final figures.
ASSIGNMENTS ?= 1

# Trains the weights of the method evidence on the data beside the clone, then five times with a fifth of the brands left
# out, to learn what quality to expect. Reproducible; takes about 40 minutes.
FOLDS := $(CACHE)/folds
SHIPPED := src/dehusk/methods/evidence/weights.json

train: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group train
	$(BIN)/python training/train.py ../shared/data -o src/dehusk/methods/evidence/weights.json --cache $(CACHE)
	$(BIN)/python training/accuracy.py ../shared/data --score ../shared/tools/score.py --cache $(CACHE) --weights $(FOLDS)
	$(BIN)/python training/quality.py ../shared/data --weights $(FOLDS) --cache $(CACHE) -o $(SHIPPED)

# Measures such weights on sites and pages left out of training. Continues if it was stopped.
accuracy: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group train
	$(BIN)/python training/accuracy.py ../shared/data --score ../shared/tools/score.py --assignments $(ASSIGNMENTS) --cache $(CACHE) --article-body

# Draws which room imports which.
imports: .venv/tools
	$(BIN)/python docs/draw_imports.py src/dehusk -o docs/imports.svg

# Takes the screenshots of the documentation.
screenshots: .venv/tools
	PYTHONPATH=tests:examples $(BIN)/python docs/screenshots.py docs

# Reinstalls the package when a kernel or a declaration changes.
.venv/ready: pyproject.toml setup.py $(wildcard src/dehusk/kernels/*.p*)
	@echo "Setting up .venv: downloading libraries and compiling the kernels. The first time takes a few minutes."
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
