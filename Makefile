# Everything happens in .venv, which the first target that needs it sets up.

BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo portal test pythons lint docs golden bench clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' $(MAKEFILE_LIST) | expand -t 14

demo: ## set up, and read the example pages
	@scripts/setup
	@$(BIN)/pagesight read examples/*/index.html
	@echo
	@echo "Your own pages: $(BIN)/pagesight read FILE-OR-ADDRESS..."
	@echo "The renderers:  $(BIN)/pagesight doctor"

portal: ## set up, and serve a page made of parts of the example pages
	@scripts/setup portal
	@$(BIN)/python scripts/portal_demo.py

test: ## set up, with a Chromium where possible, and run all checks and tests
	@scripts/setup dev
	@scripts/browser
	@scripts/postgresql
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest

pythons: ## run the tests with every supported Python that is installed (PYTHONS="3.12 3.13")
	@scripts/setup
	@scripts/browser
	@scripts/postgresql
	@scripts/pythons

lint: ## check style, types and layers
	@scripts/setup dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

docs: ## rewrite the tables of options in docs/commands
	@scripts/setup dev
	$(BIN)/python tests/cli/reference.py

golden: ## rewrite the expected readings of the example pages in tests/golden
	@scripts/setup dev
	$(BIN)/python tests/golden/update.py

bench: ## compare the renderers on real pages (PAGESIGHT_CORPORA)
	@scripts/setup dev
	$(BIN)/python benchmarks/render.py

clean: ## remove .venv, caches and what was built
	rm -rf .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache \
		build dist
