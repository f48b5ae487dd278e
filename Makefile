# Needs Python 3.10 to 3.13, a C++ compiler and PyPI; everything else is put into .venv/.
#   PYTHON=python3.12      the Python to make .venv with (default: python3, or the one that .venv has)
#   ROS_DISTRO=kilted      jazzy, kilted, or none for the library without ROS (default: jazzy, or as .venv has it)
#   WITH=models            further lists of requirements/, such as models
#   PYTEST_ARGS="test/ros"  arguments for pytest; make test then runs nothing but pytest
#   SINCE=origin/main      the commit that make check compares with (default: where the branch left main)
#   TEST_PROCESSES=4       processes that share the tests (default: two more than there are cores, at most eight)

SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
WITH ?=
PYTEST_ARGS ?=
SINCE ?=
TEST_PROCESSES ?= $(shell cores=$$(nproc 2>/dev/null || echo 2); echo $$((cores < 6 ? cores + 2 : 8)))

# A sourced ROS 2 exports ROS_DISTRO too; only a distro given on purpose counts.
ifeq ($(origin ROS_DISTRO)$(if $(AMENT_PREFIX_PATH),-sourced),environment-sourced)
override ROS_DISTRO :=
endif

# Images of Python often set it, and then every process of tests, and every node, would compile thousands of files anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
SETUP := $(PYTHON) tools/bootstrap.py $(if $(filter file,$(origin PYTHON)),--any-python) \
	$(if $(ROS_DISTRO),--distro $(ROS_DISTRO)) $(if $(WITH),--with "$(WITH)")

# What tests may need besides; more is in requirements/.
EXTRAS := agree goals gsplat house learning ocr models openai planning shortcut llama llama-weights web

# Runs every check, whatever becomes of the others, then says which failed.
define checks
@failed=; \
check() { echo "==> $$*"; "$(BIN)/$$@" || failed="$$failed $$1"; }; \
$(1) \
if [ -n "$$failed" ]; then echo "make $@: failed:$$failed" >&2; exit 1; fi
endef
STATIC := check ruff check .; check python tools/check_sources.py; check mypy; check lint-imports;
PYTEST := pytest -n $(TEST_PROCESSES) --dist loadfile

.PHONY: help setup test test-all check lint demo lock clean

help:  ## say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@sed -n 's/^#   /  /p' $(firstword $(MAKEFILE_LIST))

setup:  ## prepare .venv/ with everything, the generated ROS interfaces included
	@$(SETUP)

test:  ## set up, then run every check and every test; those that need more than that are counted
	@$(SETUP) --tests
ifeq ($(strip $(PYTEST_ARGS)),)
	$(call checks,$(STATIC) check $(PYTEST);)
else
	@echo "make test: PYTEST_ARGS is given, so pytest runs alone; make lint runs the other checks"
	@$(BIN)/pytest -n $$($(BIN)/python tools/process_count.py $(TEST_PROCESSES) $(PYTEST_ARGS)) --dist loadfile $(PYTEST_ARGS)
endif

check:  ## set up, then run every check, and the tests that reach what changed, within two minutes
	@$(SETUP) --tests
	@$(BIN)/python tools/check.py $(if $(SINCE),--since $(SINCE)) $(PYTEST_ARGS)

test-all: export VANTAGE_SLOW_TESTS := 1
test-all:  ## add every extra, then run the tests that need one, time, or the data that VANTAGE_DATA names
	@$(SETUP) --tests --with "$(EXTRAS) $(WITH)"
	$(call checks,check mypy; check $(PYTEST) -m "needs or hypothesis" $(PYTEST_ARGS);)

lint:  ## set up, then run the checks alone
	@$(SETUP) --tests
	$(call checks,$(STATIC))

# The main job, start to end, with nothing but what is in .venv/: search rooms over ROS topics, then score the bags.
demo:  ## set up, then search and answer in two generated rooms, and explore a house; all of it lands in demo/
	@$(SETUP)
	@rm -rf demo
	$(BIN)/vantage episodes make search --miniature --budget 120 --out demo/episodes
	$(BIN)/vantage up --world splat --agent search --episodes demo/episodes --out demo/bags
	@if [ -d "$${VANTAGE_DATA:-}/splats/tarot" ]; then \
		$(BIN)/vantage up --agent search --perception none --explore tarot --out demo/flight; \
	else echo "VANTAGE_DATA names no splats/tarot: the flight around a capture is left out"; fi
	@if $(BIN)/python -c 'import mujoco; from vantage.worlds import opengl; assert opengl.gl_library()' 2>/dev/null; then \
		export MUJOCO_GL=$${MUJOCO_GL:-egl}; \
		$(BIN)/vantage episodes make excalibur --split val --houses 1 --rooms 2 --questions 4 --explore-steps 60 \
			--reentry-steps 40 --out demo/house/episodes && \
		$(BIN)/vantage run excalibur --agent curious --episodes demo/house/episodes --out demo/house/bags && \
		$(BIN)/vantage score demo/house/bags; \
	else echo "no MuJoCo (make setup WITH=house) or no OpenGL: the house that is explored by touch is left out"; fi
	$(BIN)/vantage report demo/bags --out demo/report.html
	$(BIN)/vantage score demo/bags

lock:  ## resolve requirements/ anew under every supported Python
	$(BIN)/python tools/lock_requirements.py

clean:  ## remove .venv/ and everything else that was made
	rm -rf .venv .setup.lock demo build install log dist *.egg-info src/*.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src test tools launch -name __pycache__ -type d -prune -exec rm -rf {} +
