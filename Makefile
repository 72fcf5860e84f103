# Everything is installed in .venv. You need only Python 3.11 or newer and make. .venv/ready is dehusk as a
# user has it; .venv/tools adds the tools for tests.
PYTHON ?= python3
BIN := .venv/bin
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

.PHONY: demo test test-spark test-bench test-integrations lint lint-extension extension screenshots types pytest fuzz audit sbom train accuracy imports docs check-docs gallery sdist wheel wheels check-wheels try-wheel test-wheel lint-release container clean

demo: .venv/ready
	$(BIN)/dehusk demo build/demo

# The type checker and the tests run in parallel.
test: lint
	@$(MAKE) --no-print-directory --jobs=2 types pytest

lint: .venv/tools
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo --no-cache

# Mozilla's linter for browser extensions; needs Node.
lint-extension:
	@if command -v web-ext >/dev/null; then web-ext lint --source-dir src/dehusk/extension; \
	elif command -v npx >/dev/null; then npx --yes web-ext@9 lint --source-dir src/dehusk/extension; \
	else echo "The extension was not linted: Node is missing. Install the packages nodejs and npm."; fi

# The extension as zips for the stores of the browsers, from the folder that travels in the package.
extension: lint-extension
	$(PYTHON) release/extension.py build/extension

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

# The source distribution, and from it the wheel for PYTHON. cibuildwheel builds the wheels of a release (see .github).
sdist: .venv/release
	$(BIN)/python -m build --sdist --outdir dist
	$(BIN)/python -m twine check --strict dist/*.tar.gz

wheel: sdist
	$(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist dist/*.tar.gz
	$(MAKE) --no-print-directory check-wheels

# The wheels of a release for this machine, with cibuildwheel: on Linux in containers, each tested.
wheels: .venv/release
	$(BIN)/python -m cibuildwheel --output-dir dist

check-wheels: .venv/release
	$(BIN)/python release/wheels.py check dist/*.whl
	$(BIN)/python -m twine check --strict dist/*.whl

# Installs the wheel into a bare environment and runs the demo, with times.
try-wheel:
	$(PYTHON) release/wheels.py try dist/*.whl -o build/tried

# Runs the tests against an installed wheel: WHEEL_PYTHON has it, and the group `test`.
WHEEL_PYTHON ?= build/wheel/bin/python
WHEEL_TESTS ?= tests

test-wheel: $(if $(filter build/%,$(WHEEL_PYTHON)),$(WHEEL_PYTHON))
	cd $(CURDIR) && $(WHEEL_PYTHON) -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder $(WHEEL_TESTS)

build/wheel/bin/python:
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check --group test
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check --only-binary dehusk --find-links dist "dehusk==$(VERSION)"

.venv/release: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group release
	touch $@

# Checks workflows, forms and the citation against their schemas, and the container file.
lint-release: .venv/release
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/wrong-page.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/hadolint Containerfile
	$(BIN)/python release/changelog.py

# Builds the container image with the first builder that is there. PYTHON must be 3.13, as in the image.
container: wheel
	@for builder in docker podman buildah; do \
	  if command -v $$builder >/dev/null; then exec $$builder build --file Containerfile --tag dehusk .; fi; \
	done; echo "No builder: install docker, podman or buildah."; exit 1

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

# Measures such weights on sites and pages left out of training, and leaves them in $(FOLDS). Continues if it was stopped;
# after a change of the code, delete that folder first.
accuracy: .venv/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group train
	$(BIN)/python training/accuracy.py ../shared/data --score ../shared/tools/score.py --assignments $(ASSIGNMENTS) --cache $(CACHE) --weights $(FOLDS) --article-body

# Draws which room imports which.
imports: .venv/tools
	$(BIN)/python docs/draw_imports.py src/dehusk -o docs/imports.svg

# Builds the documentation site into build/docs; warnings are errors.
docs: .venv/docs
	$(BIN)/python docs/build_site.py -o build/docs

# Checks every link of the built site, and that it loads nothing from elsewhere.
check-docs: .venv/docs
	$(BIN)/python docs/check_site.py build/docs

.venv/docs: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	touch $@

# Makes the pictures of the gallery. Needs Chromium.
gallery: .venv/tools
	PYTHONPATH=tests $(BIN)/python docs/gallery.py docs/gallery

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
