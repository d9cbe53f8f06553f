# Everything starts here; each target does its own set-up, can be run first, twice, and offline after the first time.
# The work is done by toolchain/: make only gives it names.

.DEFAULT_GOAL := help
.PHONY: help up down env test check bench ray-up ray-down

toolchain := node toolchain/bootstrap/main.js

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { gsub(/\$$\$$/, "$$", $$2); printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: ## Local control plane, PostgreSQL, the platform stack dev on them, and three example runtimes
	@$(toolchain) up

down: ## Stop the local yard and remove it; the tools stay
	@$(toolchain) down

env: ## What a shell needs to work with the yard: eval "$$(make -s env)"
	@$(toolchain) env

test: ## Checks and all tests
	@$(toolchain) test

check: ## Types, lint, format
	@$(toolchain) check

bench: ## Benchmarks on the local yard, each against a peer
	@$(toolchain) bench

ray-up: ## A Ray cluster of the stack dev: make ray-up NAME=default
	@$(toolchain) ray-up

ray-down: ## Takes it down; its description stays in Pulumi.dev.yaml
	@$(toolchain) ray-down
