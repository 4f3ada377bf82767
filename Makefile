# Every target says what it is for; .ci/run installs what those need that a change must pass, and runs them.
FUZZTIME ?= 20s
FUZZ ?= # such as -for 24h -shard 1/4, or names of targets
BIN := $(CURDIR)/.bin
STATICCHECK := $(BIN)/staticcheck
STATICCHECK_VERSION := v0.8.2
APIDIFF := $(BIN)/apidiff
APIDIFF_VERSION := v0.0.0-20260112195511-716be5621a96 # as in go.mod
ACTIONLINT_VERSION := v1.7.12
CYCLONEDX_VERSION := v1.10.0
BASE ?= # a commit; the latest tag or the parent by default
TARGETS := linux/amd64 linux/arm64 linux/arm linux/s390x darwin/arm64 darwin/amd64 windows/amd64 windows/arm64
RELEASES := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
MUTATE ?= # such as -family popcount -impl avx2 -shard 1/4
CLAIMS ?= # such as -paper burns -run -effort full
TRACES ?= # a directory of traces, such as ../data
SOAK ?= # such as -shard 1/4 -only sound -seeds 1000
SWEEP ?= # such as -shard 1/4 -only FPR
ATTACK ?= 2000 # evaluations of each function, such as 20000 -seed 7 -only FPR
OLDEST_GO := 1.24.13
# What has assembly, or float64 numbers that an architecture may round otherwise; ARM64=./... runs all. The goldens of
# the commands have the numbers of exact, and a real arm64 runs make test (.github/workflows).
ARM64 ?= . ./kernel/... ./approx/... ./internal/... ./exact/internal/... ./fuzz
EMULATED := go test -vet=off -short -timeout 2h
# One build for all steps: without these, a step that looks at a package and one that tests it compile it differently.
ifeq ($(origin GOFLAGS), undefined) # .ci/run sets it, and then one build serves all steps
test: export GOFLAGS = -trimpath -gcflags=all=-dwarf=false
endif
export GOFLAGS ?= -trimpath
# The module has no cgo: no C compiler is started for the standard library's. A comment on the line of the value would
# give it a space, and the go command takes "0 " for yes.
export CGO_ENABLED ?= 0
FIRST := ./verify ./cmd/bloomproof ./verify/conform ./kernel # take longest: none of them then runs alone at the end
# Tests of what proves, mutates, explores, compares kernels, sweeps, soaks and fuzzes, of all exported names, and of the
# papers' claims. Those of kernel/asm, which compare the kernels, are not among them.
TOOLS := ./verify/proof/... ./verify/internal/tools/... ./verify/claims ./internal/interleave ./kernel/asm/asmtest ./fuzz
PRODUCT = $(FIRST) $$(go list ./... | grep -vxF "$$(go list $(TOOLS))") # all others
# Exact arithmetic makes much garbage and keeps little: the collector would take a quarter of the time.
export GOGC ?= 400
export GOMEMLIMIT ?= 2GiB
# Memory that the runtime gives back is taken only when another program needs it: the next use of it is no page fault.
export GODEBUG ?= madvdontneed=0

.PHONY: test test-tools test-long test-long-numbers test-tools-long race purego arm64 oldcpu oldgo portable release vet actionlint apidiff prove prove-changed prove-mutants floats theorems interleavings fuzz bench beam fan axe site cover figures times mutate sweep claims traces soak conformance assurance gomutate

# Timeouts are for what never ends: tests that share their processors with others take many times
# as long as alone. The first command compiles once what tests that ask for types would compile a second time. With one
# thread and no collector below GOMEMLIMIT, compilers take a fifth less processor time.
test: ## everything a contributor needs but the tests of TOOLS: three minutes on two cores
	GOGC=off GOMAXPROCS=1 go list -p $$(getconf _NPROCESSORS_ONLN) -export -test -f '' $(PRODUCT) >/dev/null
	go test -vet=off -timeout 2h $(PRODUCT)
	.ci/missing

test-tools: ## the tests of TOOLS, for who changes one of them or an exported name; .ci/run runs it
	go test -vet=off -timeout 2h $(TOOLS)

test-long: ## the packages whose tests have a long form, without TOOLS: finer grids, more draws and larger filters; half an hour, before a release
	BLOOMPROOF_LONG=1 .ci/only long go test -vet=off -timeout 6h $(FIRST)

test-long-numbers: ## of these the tests of exact, approx, kernel, the pages in a browser and the pages' commands, and of what make test leaves out of cmd and verify; .ci/run runs it
	BLOOMPROOF_LONG=1 go test -vet=off -timeout 6h ./exact/... ./approx/... ./kernel/...
	BLOOMPROOF_LONG=1 go test -vet=off -timeout 6h ./cmd/bloomproof -run 'Calculator|RecyclingPage|PageInBrowser|Serve|Site|Docs|Golden|ScaleParts|FnrExactTooLarge'
	BLOOMPROOF_LONG=1 go test -vet=off -timeout 6h ./verify ./verify/conform ./fuzz -run 'RaceList|OnlyList|TestShards|ImportGraph|FuzzFilterOutside|CompatConformance|GrowingConformance|RecyclingAttack|BlocksRecyclingMeasuredRate|ProgramsRun'

test-tools-long: ## the same for the tests of TOOLS; a quarter of an hour, before a release
	BLOOMPROOF_LONG=1 go test -vet=off -timeout 6h $(TOOLS)

race: ## the race detector, small sizes, where goroutines can meet; needs gcc
	CGO_ENABLED=1 .ci/race go test -vet=off -race -short -timeout 2h

purego: ## no assembly, small sizes, in the packages that are linked from other files then
	.ci/only purego go test -vet=off -tags purego -short -timeout 2h $(FIRST)

arm64: ## arm64 under qemu, small sizes: the kernels, floating-point numbers, and every command's output; needs qemu-aarch64-static
	GOARCH=arm64 BLOOMPROOF_REQUIRE=neon $(EMULATED) -exec qemu-aarch64-static $(ARM64)
	GOARCH=arm64 $(EMULATED) -exec qemu-aarch64-static ./cmd/bloomproof -run 'TestGolden|TestFields'

oldcpu: ## what runs the kernels without POPCNT, with POPCNT alone, and with AVX2; needs qemu-x86_64-static
	GOARCH=amd64 .ci/oldcpu $(EMULATED)

oldgo: ## what go.mod asks of users: no newer Go than OLDEST_GO, whose toolchain it fetches
	.ci/oldgo $(OLDEST_GO)

portable: ## 32 bits (linux/arm) and the other byte order (linux/s390x), small sizes; needs qemu-arm-static and qemu-s390x-static
	GOARCH=arm $(EMULATED) -exec qemu-arm-static . ./kernel/... ./exact/internal/... ./approx/internal/... ./verify/model ./verify/trace ./verify/claims
	GOARCH=arm $(EMULATED) -exec qemu-arm-static ./cmd/bloomproof -run 'TestGolden|TestFields'
	# What reads or writes words as bytes.
	GOARCH=s390x $(EMULATED) -exec qemu-s390x-static . ./kernel/asm ./kernel/compat/... ./kernel/vec
	GOARCH=s390x $(EMULATED) -exec qemu-s390x-static ./kernel -run 'Format|Snapshot|Position|Hash|Mapped'

release: ## the command for RELEASES as static binaries with their checksums and what they are made of, in .bin/release
	CYCLONEDX=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION) .ci/release $(RELEASES)

vet: $(STATICCHECK) ## gofmt, vet on TARGETS with and without purego, staticcheck of every file; the bench module, each benchmark once
	STATICCHECK=$(STATICCHECK) .ci/vet $(TARGETS)

actionlint: ## the workflows of .github
	go run github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

apidiff: $(APIDIFF) ## what the changes since BASE do to the exported API of each public package; it informs
	.ci/apidiff $(APIDIFF) $(BASE)

MACHINE ?= # such as -cache user, which keeps what the solvers have proved
prove: ## the proof obligations of verify/proof/smt and the kernels of verify/proof/machine; 11 minutes of processor time; needs z3, cvc5, llvm, binutils and the latter for arm64
	go run ./verify/proof/smt
	go run ./verify/proof/machine $(MACHINE)

prove-changed: ## the same, without the solvers for what verify/proof/machine/report.txt has as proved
	go run ./verify/proof/smt
	go run ./verify/proof/machine -changed

theorems: ## Coq checks the theorems of verify/proof/theorems; needs Debian's coq and libcoq-mathcomp
	go run ./verify/proof/theorems

floats: ## the error bounds of approx's elementary functions from their source, and a factor of the classic rate's; half a minute
	go run ./verify/proof/floats -out verify/proof/floats/certificate.txt

interleavings: ## every schedule of goroutines that share a concurrent filter, and wrong variants that must be found; a few minutes
	go run ./verify/proof/interleave -long
	go run ./verify/proof/interleave -wrong

prove-mutants: ## the mutants of the kernels that are proved: none that the tests kill may be proved; goes on where it was stopped
	mkdir -p $(BIN) && go run ./verify/internal/tools/asmmutant -prove -cache user -resume $(BIN)/prove-mutants.jsonl $(MUTATE)

mutate: ## the assembly broken at every place: no test may miss it; Linux, and qemu-aarch64-static for arm64
	go run ./verify/internal/tools/asmmutant -resume $(BIN)/mutate.jsonl $(MUTATE)

GOMUTATE ?= # such as -sample 100 -shard 1/4 ./exact/...
gomutate: ## the Go code broken at every place, or at a sample of them; goes on where it was stopped
	mkdir -p $(BIN) && go run ./verify/internal/tools/gomutant -resume $(BIN)/gomutate -long $(GOMUTATE)

sweep: ## approx against exact at a million points a number, and a search for large shares of the error bounds; goes on where it was stopped
	mkdir -p $(BIN) && go run ./verify/internal/tools/sweep -resume $(BIN)/sweep.jsonl -points 1e6 $(SWEEP)
	go run ./verify/internal/tools/sweep -attack $(ATTACK)

conformance: ## what the laws find in other libraries, above 2^32 bits too: 2 GiB; other languages where they are installed; writes docs/conformance.md
	cd bench && go run ./conformance -huge -out ../docs/conformance.md

assurance: ## what is known, and how: docs/assurance.md from verify/doc.go and the records
	go run ./verify/internal/tools/assurance -out docs/assurance.md

soak: ## sound filters under many seeds, wrong ones under all laws, false alarms and power measured
	mkdir -p $(BIN) && go run ./verify/internal/tools/soak -resume $(BIN)/soak.jsonl $(SOAK)

fuzz: ## every FuzzXxx of every package for FUZZTIME; FUZZ="-for 24h -shard 1/4", or names of targets
	FUZZTIME=$(FUZZTIME) .ci/fuzz $(FUZZ)

BENCH ?= # such as -pages small, -sizes L1,L2 -parts filters
bench: ## a comparison with other filters, on an idle machine; puts the tables of this family of CPUs into bench/RESULTS.md
	cd bench && go run ./compare -out RESULTS.md $(BENCH)

fan: ## the experiments of Fan et al. again; an hour, 6 GB; data in docs/figures
	cd bench && go run ./fan

beam: ## the Apache Beam pipelines on the local runner, bit for bit the serial filter, and the Kubernetes manifest; builds for two minutes of processor time
	cd bench/beam && go test -vet=off ./...

AXE := 4.10.2
axe: ## axe-core looks at the calculator's page for what readers of the screen lack; needs npm and chromium
	mkdir -p $(BIN)/axe && npm install --silent --no-save --prefix $(BIN)/axe axe-core@$(AXE)
	BLOOMPROOF_AXE=$(abspath $(BIN))/axe/node_modules/axe-core/axe.min.js go test ./cmd/bloomproof -run TestCalculatorAxe -count=1

SITE ?= .bin/site
site: ## the calculator as a folder for any static host, which answers by WebAssembly: in SITE
	.ci/site '$(SITE)'

cover: ## coverage by function, and in all; recorded for docs/assurance.md
	mkdir -p $(BIN) && go test -short -coverpkg=./... -coverprofile=$(BIN)/cover.out ./... && go tool cover -func=$(BIN)/cover.out
	go run ./verify/internal/tools/assurance -cover $(BIN)/cover.out -out docs/assurance.md

figures: ## the figures and their data in docs/figures; five minutes
	cd bench && go run ./figures -dir ../docs/figures

times: ## how long the models of false negatives take, which figures draws from the record
	cd bench && go run ./figures -times figures/dozier_fn_times.csv

traces: ## the tables of docs/traces.md and figures 7 and 8 of Dozier-FN from the traces of TRACES
	cd bench && go run ./figures -traces '$(abspath $(TRACES))' && go run ./figures -only dozier-fn-7
	go test ./cmd/bloomproof -run 'TestTraces|TestGapsPage|TestNextPage' -count 1 -traces '$(abspath $(TRACES))' -update

claims: ## what the papers say, with verdicts; CLAIMS="-run -effort full -shard 1/4" checks them again
	go run ./cmd/bloomproof claims $(CLAIMS)

$(STATICCHECK):
	GOBIN=$(BIN) go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

$(APIDIFF):
	GOBIN=$(BIN) go install golang.org/x/exp/cmd/apidiff@$(APIDIFF_VERSION)
