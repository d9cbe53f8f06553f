# Every target sets up what it requires, may be run repeatedly, and works offline after its first run.
# toolchain/ does the work.

.DEFAULT_GOAL := help
.PHONY: help up down env test check bench docs upgrade upstream requests garden story serve gardener-up ray-up ray-down karpenter-up karpenter-down
.PHONY: teraslice-build teraslice-setup teraslice-example teraslice-up teraslice-show teraslice-render teraslice-register teraslice-start teraslice-stop teraslice-scale teraslice-state teraslice-destroy

toolchain := node toolchain/bootstrap/main.js

help: ## Prints this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { gsub(/\$$\$$/, "$$", $$2); printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: ## Starts the local control plane and PostgreSQL, and deploys the platform stack dev and three example runtimes
	@$(toolchain) up

down: ## Stops the local yard and deletes it; the tools stay
	@$(toolchain) down

env: ## Prints the shell variables of the local yard: eval "$$(make -s env)"
	@$(toolchain) env

test: ## Runs the checks and all tests
	@$(toolchain) test

check: ## Checks types, lint and format
	@$(toolchain) check

bench: ## Runs the benchmarks on the local yard, each against another tool
	@$(toolchain) bench

docs: ## Builds the documentation as a site with search, in .site/html
	@$(toolchain) docs

upgrade: ## Sets the newest Pulumi, Kubernetes provider and npm packages that promise the same interface, and checks
	@$(toolchain) upgrade

upstream: ## Tests the real upstream charts on a yard, in every mode: fetched, or from a folder (UPSTREAM=DIR)
	@$(toolchain) upstream

requests: ## Lists what charts and bundles request when they are installed, from a folder (UPSTREAM=DIR), in full with TEXTS=1
	@$(toolchain) requests

garden: ## Tests Shoots with Gardener's own API server on a yard, by its oldest and newest supported release (or GARDENER=newest), and the validators of its extensions (or EXTENSIONS=azure,openstack); the first run builds them
	@$(toolchain) garden

story: ## Shows a platform at work on a yard: notebooks, Ray, and a million records through Teraslice, while it is scaled, killed and upgraded; with a picture at the end: make story RECORDS=100000
	@$(toolchain) story

serve: ## Runs the provisioning service on the local yard (or that in YARD=DIR): API, playground and status page
	@$(toolchain) serve

gardener-up: ## Starts a simulated Gardener on the local yard, with a platform stack and a runtime that has its own cluster with Kyma
	@$(toolchain) gardener-up

ray-up: ## Enables and deploys a Ray cluster of the stack dev: make ray-up NAME=default
	@$(toolchain) ray-up

ray-down: ## Disables that Ray cluster; its settings stay in Pulumi.dev.yaml: make ray-down NAME=default
	@$(toolchain) ray-down

karpenter-up: ## Starts the real Karpenter on the local yard, with simulated nodes; the first start builds it
	@$(toolchain) karpenter-up

karpenter-down: ## Stops Karpenter, after deleting its nodes
	@$(toolchain) karpenter-down

teraslice-build: ## Builds an image from a folder with a Containerfile: make teraslice-build FOLDER=../teraslice IMAGE=teraslice:k8sdev2
	@$(toolchain) teraslice-build

teraslice-setup: ## Runs Teraslice of the stack dev with OpenSearch as processes of this machine, from a built checkout: make teraslice-setup TERASLICE=../teraslice
	@$(toolchain) teraslice-setup

teraslice-example: ## Deploys an asset and a job that indexes 100,000 records, after teraslice-setup
	@$(toolchain) teraslice-example

teraslice-up: ## Enables Teraslice in the stack dev and deploys its master
	@$(toolchain) teraslice-up

teraslice-show: ## The Teraslice master of the stack dev: its address and its jobs
	@$(toolchain) teraslice-show

teraslice-render: ## Prints the objects that the master creates for a job: make teraslice-render JOB=docs/examples/teraslice-job.yaml
	@$(toolchain) teraslice-render

teraslice-register: ## Adds a job file, or registers a job: make teraslice-register JOB=docs/examples/teraslice-job.yaml
	@$(toolchain) teraslice-register

teraslice-start: ## Starts a job: make teraslice-start JOB=teraslice-job
	@$(toolchain) teraslice-start

teraslice-stop: ## Stops a job, which stays registered
	@$(toolchain) teraslice-stop

teraslice-scale: ## Sets the number of a job's workers: make teraslice-scale JOB=teraslice-job WORKERS=3
	@$(toolchain) teraslice-scale

teraslice-state: ## Status of the Teraslice jobs
	@$(toolchain) teraslice-state

teraslice-destroy: ## Disables Teraslice with its jobs; its settings stay in Pulumi.dev.yaml
	@$(toolchain) teraslice-destroy
