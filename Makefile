# The few words a person types; `make help` lists them. CMake, ctest and scripts/ do the work.
PRESET ?= release
BUILD  := build/$(PRESET)
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
NINJA  := cmake --build $(BUILD) -j $(JOBS)
# Clones of the repository share what ccache has.
export CCACHE_BASEDIR := $(CURDIR)

.PHONY: help setup configure build test python python-configure wheel demo bench install format format-check lint sanitize clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: ## install what is missing (Debian packages, MNIST, two fonts)
	@scripts/setup.sh

configure: setup
	@test $(BUILD)/build.ninja -nt CMakePresets.json || cmake --preset $(PRESET)

build: configure ## build everything into build/release (PRESET=dev for another preset)
	@$(NINJA)

test: build ## install, build, run every test but those labelled extreme or python
	@ctest --test-dir $(BUILD) -LE 'extreme|python' -j $(JOBS) --output-on-failure --no-tests=error
	@scripts/skipped.py $(BUILD)

python-configure: setup
	@scripts/setup.sh python
	@grep -q '^ALGPRIOR_PYTHON:BOOL=ON' $(BUILD)/CMakeCache.txt 2>/dev/null || cmake --preset $(PRESET) -DALGPRIOR_PYTHON=ON

python: python-configure ## build the Python package into build/release/python and test it
	@$(NINJA) --target python
	@ctest --test-dir $(BUILD) -L python --output-on-failure --no-tests=error

wheel: python-configure ## pack the Python package into build/release/wheel
	@$(NINJA) --target python
	@/usr/bin/python3 bindings/python/make_wheel.py $(BUILD) $(BUILD)/wheel

demo: configure ## install, build, train a network without and with the prior, compare them
	@$(NINJA) --target algprior
	@$(BUILD)/algprior demo

bench: setup ## build and run the benchmarks
	@cmake --preset $(PRESET) -DALGPRIOR_BENCH=ON
	@$(NINJA) --target bench

install: python-configure build ## install program, libraries and Python package into PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

format: ## format every C++ file in place
	@scripts/setup.sh format
	@git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs -0 clang-format -i

format-check: ## fail when a C++ file is not formatted
	@scripts/setup.sh format
	@git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs -0 clang-format --dry-run --Werror

lint: setup ## clang-tidy on the files that differ from LINT_BASE (default HEAD)
	@scripts/setup.sh lint
	@cmake --preset dev >/dev/null  # knows every file by itself
	@scripts/lint.sh build/dev

sanitize: ## quick tests of the half without LibTorch under ASan and UBSan
	@$(MAKE) --no-print-directory build PRESET=asan
	@ctest --test-dir build/asan -L quick -j $(JOBS) --output-on-failure --no-tests=error

clean: ## remove build/
	@rm -rf build
