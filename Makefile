# make help lists the targets. The first two are all a fresh machine with Go needs.

GO      ?= go
FUZZ    ?= 30s
STATIC  := honnef.co/go/tools/cmd/staticcheck@v0.7.0
CUE     := cuelang.org/go/cmd/cue@v0.17.1

.DEFAULT_GOAL := help
.PHONY: help build test test-model record race lint fmt cue-vet docs golden golden-check fuzz bench cross dist clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/compactor, static, without cgo
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/compactor ./cmd/compactor

test: ## run all tests
	$(GO) test ./...

test-model: ## run the tests that need a real model; gets small ones into ~/.cache once
	.ci/test-model

record: ## record what a real model says in tests anew, after a change of prompts; review the diff
	TEST_MODEL_OLLAMA=no TEST_MODEL_WEIGHTS=gemma-3-270m TEST_MODEL_PACKAGES="./runtime/model/recording ./cmd/compactor" \
		.ci/test-model -run 'RealModelAdapter|AdapterReplays|RealModelRecords' -update

race: ## run all tests with the race detector, in random order (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -shuffle=on -timeout 25m ./...

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

golden: ## rewrite the golden files; review the diff
	$(GO) test ./runtime/config ./runtime/plan ./runtime/diag ./runtime/server ./runtime/redact ./runtime/tokens ./runtime/agent/reply ./cmd/compactor -update

golden-check: golden ## fail when golden files are stale
	git diff --exit-code -- '*testdata*'

fuzz: ## run every fuzzer for FUZZ (30s) each
	@for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) $$pkg || exit 1; \
		done; \
	done

bench: ## run the Go benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

cross: ## build and vet for the three systems
	@for os in linux darwin windows; do echo "GOOS=$$os"; GOOS=$$os CGO_ENABLED=0 $(GO) vet ./... && GOOS=$$os CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/compactor || exit 1; done

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
dist: ## pack static binaries for Linux, macOS and Windows with checksums
	@rm -rf dist && mkdir -p dist
	@for t in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64; do \
		os=$${t%/*}; arch=$${t#*/}; ext=; [ $$os = windows ] && ext=.exe; \
		GOOS=$$os GOARCH=$$arch CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=true -ldflags "-s -w -X main.version=$(VERSION)" -o dist/compactor-$$os-$$arch$$ext ./cmd/compactor || exit 1; \
	done
	@cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

clean: ## remove what was built
	rm -rf bin dist
