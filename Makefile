# `make book` and `make test` are the two commands; `make` alone lists the rest.
PROFILE ?= quick
JOBS ?=
FIG ?=
WHY ?=
SETTING ?=
PAGES ?=
CONTROL ?=
PORT ?= 8000
# The Python that makes the environment: 3.11, 3.12 or 3.13. Name another with PYTHON=...
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3 python; do \
	"$$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && echo "$$name" && break; \
	done)

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.complete
WORKERS := $(if $(JOBS),--jobs $(JOBS))

export FIG WHY
export PYTHONUTF8 := 1
# It switches off every assert: those of the tests, and those of pages.
unexport PYTHONOPTIMIZE

.DEFAULT_GOAL := help
.PHONY: help env book pdf note archive execute verify portable figure accept test test-fast walk browser lint format serve clean lock need-figure

help:  ## list the commands
	@echo "Commands (profiles: quick, paper):"
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'
	@echo "Variables: PROFILE=$(PROFILE)  JOBS=$(or $(JOBS),one a core)  FIG=<figure>  WHY=<reason>  PYTHON=$(PYTHON)"

env: $(STAMP)  ## make the environment .venv from requirements.lock

$(STAMP): requirements.lock tools/requirements-cffconvert.lock pyproject.toml tools/env.py
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed and none is found; name one with PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" tools/env.py "$(VENV)"

book: $(STAMP)  ## execute all notebooks and render the book to _build/html
	@$(PY) -m companion build --profile $(PROFILE) $(WORKERS)

pdf: $(STAMP) browser  ## print the whole book as a PDF to _build/pdf
	@$(PY) -m companion pdf --profile $(PROFILE) $(WORKERS)

note: $(STAMP) browser  ## print the errata as a note of at most eight pages, with the programs of its counterexamples
	@$(PY) -m companion note --profile $(PROFILE)

archive: $(STAMP)  ## build the book and pack its pages into a zip in _build/archive
	@$(PY) -m companion archive --profile $(PROFILE) $(WORKERS)

execute: $(STAMP)  ## execute the notebooks that changed, judge their claims, compare their figures
	@$(PY) -m companion execute --profile $(PROFILE) $(WORKERS)

verify: $(STAMP)  ## run all notebooks anew, judge every claim, write _build/verify/report.md
	@$(PY) -m companion verify --profile $(PROFILE) $(WORKERS)

portable: $(STAMP)  ## run the pages that train as on other processors: SETTING="avx2" PAGES="..." CONTROL=1
	@$(PY) tools/portable.py $(PAGES) --profile $(PROFILE) $(WORKERS) $(if $(SETTING),--only "$(SETTING)") \
		$(if $(CONTROL),--control)

need-figure:
	@test -n "$$FIG" || { echo "Name the figure: make figure FIG=<id>, make accept FIG=<id> WHY=\"reason\";" \
		"all are in data/figures.yml" >&2; exit 2; }

figure: need-figure $(STAMP)  ## make one figure again: FIG=<id>
	@$(PY) -m companion figure "$$FIG" --profile $(PROFILE)

accept: need-figure $(STAMP)  ## accept the data of a changed figure: FIG=<id> WHY="reason"
	@$(PY) -m companion accept "$$FIG" --profile $(PROFILE) --why "$$WHY"

test: $(STAMP) browser  ## run all tests (builds the book where it is not built yet)
	@$(PY) -m pytest --numprocesses $(or $(JOBS),auto)

walk: $(STAMP) browser  ## look at every page of the book in a browser, in two themes at two widths
	@WALK=1 $(PY) -m pytest tests/test_site.py -k in_light_and_dark

test-fast: $(STAMP)  ## run the tests that take little time and need no browser
	@$(PY) -m pytest --numprocesses $(or $(JOBS),auto) -m "not slow and not site"

browser: $(STAMP)  ## find a browser for the tests of the pages, or install one
	@$(PY) -m companion.site.browser

lint: $(STAMP)  ## check style and types
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(PY) tools/style.py src tools notebooks
	@$(PY) tools/cells.py
	@$(PY) tools/lint_javascript.py

format: $(STAMP)  ## put the code into the house format
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) tools/cells.py --fix
	@$(PY) tools/lint_javascript.py --fix

serve: $(STAMP)  ## serve the built book on this machine: PORT=8000
	@test -f _build/html/index.html || { echo "there are no pages yet: make book" >&2; exit 1; }
	@$(PY) -m http.server --bind 127.0.0.1 --directory _build/html $(PORT)

clean:  ## remove everything that was built (the environment stays)
	@rm -rf _build .pytest_cache .mypy_cache .ruff_cache

lock:  ## resolve requirements.lock again from pyproject.toml (needs uv, and no environment)
	@"$(PYTHON)" tools/lock.py
