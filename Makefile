# make help lists the targets. The first two are all a fresh machine with Go needs.

GO      ?= go
FUZZ    ?= 30s
STATIC  := honnef.co/go/tools/cmd/staticcheck@v0.7.0
CUE     := cuelang.org/go/cmd/cue@v0.17.1

.DEFAULT_GOAL := help
.PHONY: help build install test test-model record packages race race-flags race-packages race-all lint fmt cue-vet docs golden golden-texts golden-check fuzz bench cross dist reproducible first-hour clean bench-docs

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/compactor, static, without cgo
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/compactor ./cmd/compactor

# The place of go install, or below PREFIX where one is named.
BIN ?= $(if $(PREFIX),$(DESTDIR)$(PREFIX)/bin,$(shell $(GO) env GOBIN))
BIN := $(if $(BIN),$(BIN),$(shell $(GO) env GOPATH)/bin)
install: ## build it and put it into $GOBIN or ~/go/bin, or into PREFIX/bin with its manual
	@mkdir -p "$(BIN)"
	CGO_ENABLED=0 $(GO) build -trimpath -o "$(BIN)/compactor$(shell $(GO) env GOEXE)" ./cmd/compactor
	@if [ -n "$(PREFIX)" ] && ls docs/man/*.1 >/dev/null 2>&1; then \
		mkdir -p "$(DESTDIR)$(PREFIX)/share/man/man1" && cp docs/man/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1/"; fi
	@echo "installed: $(BIN)/compactor$(shell $(GO) env GOEXE)"
	@command -v compactor >/dev/null || echo "$(BIN) is not on your PATH: add it, or type the whole path"

test: ## run all tests
	$(GO) test ./...

test-model: ## run the tests that need a real model; gets small ones into ~/.cache once
	.ci/test-model

record: ## record what a real model says in tests anew, after a change of prompts; review the diff
	TEST_MODEL_OLLAMA=no TEST_MODEL_WEIGHTS=gemma-3-270m TEST_MODEL_PACKAGES="./runtime/model/recording ./cmd/compactor" \
		.ci/test-model -run 'RealModelAdapter|AdapterReplays|RealModelRecordsConfig' -update
	TEST_MODEL_OLLAMA=no TEST_MODEL_WEIGHTS=smollm2-135m TEST_MODEL_PACKAGES=./cmd/compactor \
		.ci/test-model -run RealModelRecordsOwnRoles -update

# go test starts packages in the order in which they are named, and in that of their
# paths otherwise: these take longest, and the last of them would run alone.
SLOW := ./cmd/compactor ./runtime/app/service ./runtime/retrieval/docs/library ./runtime/world/store ./runtime/safety/redact ./runtime/pipeline/plan

packages: # lists all packages, the slow ones first
	@$(GO) list $(SLOW) ./...

# SQLite was translated from C and does its own locking: instrumenting it finds nothing and doubles the time.
RACE := -race -gcflags=modernc.org/...=-race=false -vet=off -shuffle=on

race: ## run the short tests of packages in which goroutines meet with the race detector (needs a C compiler)
	GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 $(GO) test $(RACE) -short -p=3 -timeout 20m $$($(MAKE) -s race-packages)

race-flags: # lists the flags of go test for the race detector
	@echo $(RACE)

race-packages: # lists the packages that import sync or conc, or whose tests do
	@$(GO) list -f '{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}} ' $(SLOW) ./... | \
		grep -E ' (sync|sync/atomic|testing/synctest|github.com/sourcegraph/conc[^ ]*) ' | cut -d ' ' -f 1

race-all: ## run all tests with the race detector, in random order (half an hour)
	GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 $(GO) test $(RACE) -timeout 30m ./...

lint: ## gofmt, go vet, staticcheck, tidy modules, and compactor's own configuration
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not formatted (make fmt):"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATIC) ./...
	$(GO) mod tidy -diff
	$(GO) run ./cmd/compactor validate --strict --config testdata/config
	$(GO) run ./cmd/compactor test testdata/config

fmt: ## format Go and CUE files
	gofmt -w $$(git ls-files '*.go')
	$(GO) run $(CUE) fmt ./...

cue-vet: ## check the configuration with the stock cue tool
	$(GO) run $(CUE) vet ./...

docs: ## write docs/cli and docs/man anew from the help of the commands
	$(GO) test ./cmd/compactor -run '^TestDocs$$' -update

GOLDEN := ./runtime/lang/keylines ./runtime/lang/symbols ./builtins/text/compact ./cmd/compactor ./runtime/pipeline/agent/reply ./runtime/config \
	./runtime/observe/dashboard ./runtime/base/diag ./runtime/retrieval/docs/chunk ./runtime/pipeline/plan ./runtime/safety/redact ./runtime/mcp/server ./runtime/base/tokens
golden: golden-texts ## rewrite the golden files; review the diff
	$(GO) test ./cmd/compactor -run '^TestScripts$$' -update

# evaluated.cbor is first: the tests of the others are built with it.
golden-texts: # rewrites all but those of scripts
	$(GO) test -vet=off ./runtime/config -run '^TestEvaluated$$' -update
	$(GO) test -vet=off $(GOLDEN) -run '^Test(Docs|GitleaksRulesGolden|Golden|Languages|Mistakes|Pages|Printers|Recorded|Transcripts|Vocabulary)$$' -update

# Scripts are left out: one of them is rewritten only where the test itself fails.
golden-check: golden-texts ## fail when golden files are stale
	git diff --exit-code -- '*testdata*' '*.cbor' docs runtime/base/tokens

fuzz: ## run every fuzzer for FUZZ (30s) each
	@for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) $$pkg || exit 1; \
		done; \
	done

bench: ## run the Go benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Folders of judged documents in the form of BEIR.
SUITES ?=
space := $(subst ,, )
bench-docs: ## measure searches of documents beside FTS5 and bleve: make bench-docs SUITES="cranfield pydocs"
	@test -n "$(SUITES)" || { echo 'name folders of judged documents: make bench-docs SUITES="/path/cranfield /path/pydocs"'; exit 1; }
	COMPACTOR_BENCH_SUITES="$(subst $(space),:,$(strip $(abspath $(SUITES))))" $(GO) test ./runtime/retrieval/docs/index ./builtins/docs -p 1 -run '^$$' -bench 'FTS5|DocsSearch' -benchtime 1x -timeout 1h
	cd runtime/retrieval/docs/index/testdata/bleve && $(GO) run . $(abspath $(SUITES))

cross: ## build and vet for the three systems
	@for os in linux darwin windows; do echo "GOOS=$$os"; GOOS=$$os CGO_ENABLED=0 $(GO) vet ./... && GOOS=$$os CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/compactor || exit 1; done

VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
BASE_URL ?= https://github.com/compactor-mcp/compactor/releases/download/$(VERSION)
TARGETS  ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
dist: ## pack archives for Linux, macOS and Windows, with checksums, bills of materials, formula and manifest
	$(GO) run ./cmd/internal/dist -version "$(VERSION)" -base-url "$(BASE_URL)" -targets "$(TARGETS)" -out dist

reproducible: ## pack one system from two clones and compare the bytes
	.ci/reproducible

first-hour: ## do what a new user does, with Go alone (see .ci/first-hour)
	.ci/first-hour

clean: ## remove what was built
	rm -rf bin dist compactor compactor.exe
