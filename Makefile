# Everything starts here; each target does its own set-up, can be run first, twice, and offline after the first time.
# The work is done by toolchain/: make only gives it names.

.DEFAULT_GOAL := help
.PHONY: help up down env test check bench upstream serve gardener-up ray-up ray-down karpenter-up karpenter-down
.PHONY: teraslice-build teraslice-up teraslice-show teraslice-render teraslice-register teraslice-start teraslice-stop teraslice-scale teraslice-state teraslice-destroy

toolchain := node toolchain/bootstrap/main.js

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { gsub(/\$$\$$/, "$$", $$2); printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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

upstream: ## The real upstream charts on a yard, in every mode: fetched, or from a folder (UPSTREAM=DIR)
	@$(toolchain) upstream

serve: ## The provisioning service on the local yard: API, playground and status page
	@$(toolchain) serve

gardener-up: ## Gardener, played on the local yard, with a platform stack and a runtime of its own cluster with Kyma
	@$(toolchain) gardener-up

ray-up: ## A Ray cluster of the stack dev: make ray-up NAME=default
	@$(toolchain) ray-up

ray-down: ## Takes it down; its description stays in Pulumi.dev.yaml
	@$(toolchain) ray-down

karpenter-up: ## The real Karpenter on the local yard, with simulated nodes; builds it the first time
	@$(toolchain) karpenter-up

karpenter-down: ## Ends it, its nodes first
	@$(toolchain) karpenter-down

teraslice-build: ## An image from a folder with a Containerfile: make teraslice-build FOLDER=../teraslice IMAGE=teraslice:k8sdev2
	@$(toolchain) teraslice-build

teraslice-up: ## The Teraslice master of the stack dev, where it was turned off
	@$(toolchain) teraslice-up

teraslice-show: ## How it is reached, and its jobs
	@$(toolchain) teraslice-show

teraslice-render: ## What the master makes of a job: make teraslice-render JOB=docs/examples/teraslice-job.yaml
	@$(toolchain) teraslice-render

teraslice-register: ## Adds a job file, or registers a job: make teraslice-register JOB=docs/examples/teraslice-job.yaml
	@$(toolchain) teraslice-register

teraslice-start: ## Starts a job: make teraslice-start JOB=teraslice-job
	@$(toolchain) teraslice-start

teraslice-stop: ## Stops a job, which stays registered
	@$(toolchain) teraslice-stop

teraslice-scale: ## Another number of workers: make teraslice-scale JOB=teraslice-job WORKERS=3
	@$(toolchain) teraslice-scale

teraslice-state: ## How jobs go now
	@$(toolchain) teraslice-state

teraslice-destroy: ## Turns Teraslice off, with its jobs; its description stays in Pulumi.dev.yaml
	@$(toolchain) teraslice-destroy
