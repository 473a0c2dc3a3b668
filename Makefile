PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
# Use the system's certificates, which include that of an intercepting proxy.
export UV_SYSTEM_CERTS := true

.PHONY: all environment development lock reference docs pictures lint check styled quick test tested test-slow release clean

all: environment
	snakemake --cores $(CORES)
	@echo "The report is in $(CURDIR)/report/index.html"

environment: $(VENV)/installed

# With what only those need who change the project, test it, document it or run it on a cluster.
development: $(VENV)/developed

# Compile in advance; otherwise, with PYTHONDONTWRITEBYTECODE set, each of hundreds of processes compiles pandas.
$(VENV)/installed: requirements.txt tools/uv.txt pyproject.toml src/pyproject.toml
	$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: apt-get install python3-venv"; exit 1; }
	pip install --quiet --disable-pip-version-check --require-hashes --requirement tools/uv.txt
	uv pip install --quiet --compile-bytecode --require-hashes --requirement requirements.txt
	uv pip install --quiet --no-build-isolation --no-deps --editable . --editable src
	python -m compileall -q src workflow
	@touch $@

$(VENV)/developed: $(VENV)/installed requirements-dev.txt
	uv pip install --quiet --compile-bytecode --require-hashes --requirement requirements-dev.txt
	@touch $@

LOCK := uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-package claimaudit \
	--custom-compile-command "make lock" pyproject.toml

lock: environment
	$(LOCK) --all-extras --output-file requirements-dev.txt
	$(LOCK) --extra make --constraint requirements-dev.txt --output-file requirements.txt

# Files generated from the code.
reference: environment
	PYTHONPATH=workflow python -m replication.reference > docs/reference.md
	PYTHONPATH=workflow python -m replication.reference --stub > src/corrldp/__init__.pyi
	python -c "import json; from claimaudit.verdicts import schema; print(json.dumps(schema(), indent=2))" > docs/verdicts.schema.json

docs: development
	NO_MKDOCS_2_WARNING=1 mkdocs build
	@echo "The documentation is in $(CURDIR)/site/index.html"

# The pictures of the README, from the figures and the report of a finished run; needs chromium.
pictures: development
	python tools/pictures.py

lint: styled
	PYTHONPATH=workflow lint-imports --no-logo
	snakefmt --check Snakefile workflow
	snakemake --lint

# Within a minute: tests that take long are marked thorough.
check: development
	$(MAKE) --jobs=2 styled quick
	@echo "Left out: lint of the workflow, tests marked end_to_end, slurm or thorough, or in a browser (make test); slow ones (make test-slow)"

styled: development
	ruff check .
	ruff format --check .
	mypy

quick: development
	pytest --quiet -m "not end_to_end and not slow and not slurm and not thorough" --ignore tests/browser

# At once, since mypy needs one processor and the first tests wait for a cluster and a browser.
test: development
	$(MAKE) --jobs=2 lint tested
	@echo "Left out: tests that take minutes, most on a run of all papers (make test-slow); long draws of mistakes (CORRLDP_FUZZ=long pytest tests/test_fuzz.py tests/workflow/replication tests/protocols/test_documents.py)"

tested: development
	pytest -m "not slow"

test-slow: development
	pytest -m slow

# Not run: pip-audit, which sends the name of every package to a service; whoever releases may run it on requirements.txt.
release: development
	python tools/release.py

clean:
	rm -rf dist results figures/*/ tables report logs site quick smoke data/raw data/aligned
