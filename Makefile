# sigview: build, test, measure.
#
#   make build       the sigview binary in the working directory
#   make quick       what has changed, in less than two minutes: format, vet, the root's tests, short tests
#   make test        every check and every test; sets up what it needs
#   make test-long   the same with more cases and longer schedules, and the short tests of every package under the race detector
#   make architectures  sigview on 386 and on arm64 (by qemu): the bytes of its files, and the tests of what is in them
#   make bench       measures the simulator, in build/bench.txt
#   make peers       the same traffic in sigview and in csg-htsim: HTSIM=PATH/htsim_roce, PAIRS=5, ONLY=REGEXP
#   make instructions  counts instructions and cache misses of a packet, with valgrind
#   make heap        the live heap of a cluster per node, of 2 to 1,024 nodes
#   make pgo         the profile by which the compiler optimizes sigview, cmd/sigview/default.pgo
#   make docs        rewrites docs/validation.md and docs/validation, in minutes
#   make sensitivity  docs/validation/sensitivity.md, in an hour or more; goes on where it was stopped
#   make man         manual pages in build/man
#   make bpf         what sigview watch runs in the kernel, with Debian's clang and llvm-strip
#   make page        the script of pages (sigview report --format page), from report/page/src
#   make notebooks   the outputs that are stored in docs/notebooks
#   make kernels     sigview watch on another kernel, in a virtual machine: Debian's, or KERNEL=PACKAGE
#   make pictures    the README's pictures, from real runs, in docs/pictures
#   make soak        random runs, checked, for an hour (SOAK=1h), from a seed that is printed; its figures in testdata/reliability
#   make fuzz-short  every fuzz target for 10,000 executions
#   make fuzz-long   every fuzz target for EXECS executions, in hours; goes on where it was stopped; its figures in testdata/reliability
#   make histories  random programs on every layer and random schedules of shared memory; their figures in testdata/reliability
#   make mutants     planted defects and the tests that notice them, in an hour; MUTANTS=REGEXP chooses some
#   make supply      what sigview is built of, in testdata/reliability
#   make reliability  docs/reliability.md, of the results in testdata/reliability
#   make help        this list

GO       ?= go
PYTHON   ?= python3

MODULE   := github.com/sigview/sigview
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS  := $(if $(VERSION),-X $(MODULE)/internal/version.stamp=$(VERSION))
SOURCES  := $(shell find . -name '*.go' -not -path './.venv/*' -not -path './build/*')

# The race detector makes code several times slower. A simulation runs on one
# goroutine and its coroutines, which cannot race. Tested are the kernel, simulations that
# run side by side, and the views in a real terminal, which draw while they read and run:
# the packages that have tests with such names.
SHARING  := SideBySide|Parallel|Terminal|Session
RACE     := $(addprefix ./,$(sort $(dir $(shell grep -rlE '^func Test\w*($(SHARING))' --include='*_test.go' internal/parallel experiment cluster/testbed papers cmd/sigview))))
# The benchmarks of make bench: the kernel, and whole packets.
BENCH    := ./sim/ ./workloads/microbench/
VENV     := .venv
NOTEBOOK := testdata/notebook
RUNDIR   := build/notebook-run

.PHONY: all build quick test vet fmt lint unit race other-systems architectures test-long notebook notebooks bench peers instructions heap pgo docs sensitivity man bpf page kernels pictures fuzz-short fuzz-long histories mutants supply reliability clean help

all: build

help:
	@sed -n 's/^#   //p' Makefile

build: sigview

sigview: $(SOURCES) go.mod go.sum testdata/published.csv testdata/papers.csv testdata/sensitivity.csv
	$(GO) build -ldflags '$(LDFLAGS)' -o $@ ./cmd/sigview

quick:
	.ci/quick

# The Go tests run last, so that their summary ends the output.
test: lint notebook race unit

# Compilers and linters collect no garbage below 2 GiB, and write nothing for debuggers: a fifth less
# processor time. Tests run as they would without. Nothing is built with the profile of sigview, or all
# packages would be compiled twice.
CHECKING := vet lint unit race other-systems
$(CHECKING): export GOGC := off
$(CHECKING): export GOMEMLIMIT := 2GiB
$(CHECKING) notebook quick: export GOFLAGS := $(GOFLAGS) -pgo=off -gcflags=all=-dwarf=false
TEST     := $(GO) test -vet=off -exec 'env -u GOGC -u GOMEMLIMIT' -timeout 15m

lint: fmt vet
	$(GO) tool staticcheck ./...

vet:
	$(GO) vet ./...

fmt:
	@bad="$$(gofmt -l $(SOURCES))"; if [ -n "$$bad" ]; then echo "gofmt wants to change:"; echo "$$bad"; exit 1; fi

# lint has vetted the tests. Those that a host does not let run are counted, as where it refuses programs of the kernel (BPF):
# the file has a new name each time, so that no kept result is taken for them. Tests of watch plant causes in the time of this
# host's processors: no other package's tests run beside them.
unit:
	mkdir -p build
	rm -f build/skipped-*
	SIGVIEW_SKIPPED=$(abspath build)/skipped-$$(date +%s%N) $(TEST) ./live/watch
	SIGVIEW_SKIPPED=$(abspath build)/skipped-$$(date +%s%N) $(TEST) $$($(GO) list ./... | grep -v '/live/watch$$')
	@cat build/skipped-* /dev/null 2>/dev/null | awk -F'\t' '{n++; why[$$2]++} END {print n+0 " tests were skipped because this host does not let them run"; for (w in why) print why[w] ": " w}'

race:
	$(TEST) -race -short ./sim
	$(TEST) -race -run '$(SHARING)' $(RACE)

# The systems and processors that users may build for. Windows has no tests here.
other-systems:
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	GOARCH=386 $(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...

# The packages whose numbers are written.
WRITTEN  := ./internal/portable ./clock ./histo ./analysis/... ./trace/rundir ./report
architectures:
	$(GO) run ./check/architectures
	GOARCH=386 $(GO) test -pgo=off -vet=off -timeout 60m $(WRITTEN)
	GOARCH=386 $(GO) test -pgo=off -vet=off -timeout 60m -run Transcripts ./cmd/sigview
	GOARCH=arm64 $(GO) test -pgo=off -vet=off -exec qemu-aarch64-static -timeout 60m $(WRITTEN)

test-long: lint other-systems architectures notebook
	SIGVIEW_LONG=1 $(GO) test -pgo=off -timeout 180m ./...
	$(GO) test -pgo=off -race -short -timeout 120m ./...

# The notebook tests read a run directory and its exports as a user does (with pyarrow, pandas,
# polars, DuckDB, …) and execute the notebooks.
$(VENV)/.installed: $(NOTEBOOK)/requirements.txt docs/notebooks/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --disable-pip-version-check --quiet -r $<
	touch $@

build/sigview: $(SOURCES) go.mod go.sum
	$(GO) build -ldflags '$(LDFLAGS)' -o $@ ./cmd/sigview

$(RUNDIR)/run.json: build/sigview
	rm -rf $(RUNDIR)
	mkdir -p $(dir $(RUNDIR))
	build/sigview run fft --nodes 4 --size 16K --trace=waits -o $(RUNDIR)

notebooks: $(VENV)/.installed build/sigview
	SIGVIEW=$(abspath build/sigview) $(VENV)/bin/python $(NOTEBOOK)/books.py

notebook: $(VENV)/.installed $(RUNDIR)/run.json
	SIGVIEW_RUN=$(abspath $(RUNDIR)) SIGVIEW=$(abspath build/sigview) $(VENV)/bin/python -m pytest -q $(NOTEBOOK)

# One benchmark at a time, on one core; keep the machine otherwise idle. To compare
# two builds, run `make bench COUNT=10` in each, keep build/bench.txt, and run
# `go run golang.org/x/perf/cmd/benchstat@latest old.txt new.txt`.
COUNT    ?= 1
bench: SHELL := bash
bench: .SHELLFLAGS := -o pipefail -c
bench:
	mkdir -p build
	$(GO) test -run '^$$' -bench . -benchmem -cpu 1 -count $(COUNT) -timeout $$((30 * $(COUNT)))m $(BENCH) | tee build/bench.txt

# Counts do not depend on what else the machine does, unlike the times of make bench.
instructions:
	mkdir -p build
	$(GO) test -tags valgrind -c -o build/microbench.test ./workloads/microbench
	./workloads/microbench/instructions.sh build/microbench.test build

heap:
	SIGVIEW_LONG=1 $(GO) test -run '^$$' -bench Heap -benchtime 1x -timeout 30m ./workloads/microbench

pgo:
	mkdir -p build
	$(GO) test -run '^$$' -bench '^BenchmarkRuns$$' -benchtime 1x -cpu 1 -o build/runs.test -cpuprofile cmd/sigview/default.pgo ./cmd/sigview

# Exit codes 3 and 4 mean rows missed or none measured; the page shows them.
docs: sigview
	mkdir -p build
	./sigview validate --pages docs -o build/validation.txt || [ $$? -ge 3 ]

sensitivity:
	$(GO) run -buildvcs=false ./check/sensitivity

PICTURES := docs/pictures
SHOT     := ./sigview view --quiet --theme dark --glyphs braille --geometry 120x36
SESSION  := Down 2s Enter 4s Enter 3s Escape 2s 0 2s 1 3s '?' 2s # keys and pauses
pictures: sigview
	rm -rf build/pictures
	mkdir -p build/pictures $(PICTURES)
	./sigview run fft --size 64K --trace=waits --quiet -o build/pictures/fft >build/pictures/fft.txt
	./sigview run fft --size 64K --seeds 3 --quiet -o build/pictures/fft-three >build/pictures/three.txt
	./sigview run fft --size 64K --seeds 3 --uncontended pci,membus --quiet -o build/pictures/fft-free-buses >build/pictures/free.txt
	$(SHOT) build/pictures/fft --view signature --select intervals=on --export $(PICTURES)/signature.svg
	$(SHOT) build/pictures/fft --view histogram --select stage=source --export $(PICTURES)/histogram.svg
	$(SHOT) build/pictures/fft --view timeline --export $(PICTURES)/timeline.svg
	$(SHOT) build/pictures/fft-three build/pictures/fft-free-buses --view compare --export $(PICTURES)/compare.svg
	$(PYTHON) docs/pictures/record.py $(PICTURES)/session.cast "./sigview view --theme dark --glyphs braille build/pictures/fft" $(SESSION)
	npx --yes svg-term-cli@2.1.1 --in $(PICTURES)/session.cast --out $(PICTURES)/session.svg --window --no-cursor
	./sigview logp --platform ppro --layer gam --quiet -o build/pictures/ppro >build/pictures/ppro.txt
	./sigview logp --platform meiko --quiet -o build/pictures/meiko >build/pictures/meiko.txt
	$(SHOT) build/pictures/ppro build/pictures/meiko --export $(PICTURES)/logp.svg

# What sigview watch runs in the kernel; the object is committed, so that only a change takes clang.
BPF := live/watch/bpf
bpf:
	cd $(BPF) && clang -O2 -g -fdebug-compilation-dir=/bpf -Wall -Werror -target bpf -mcpu=v3 -c watch.bpf.c -o watch.o && llvm-strip -g -w -N 'LBB*' -R .rel.BTF -R .rel.BTF.ext -R .llvm_addrsig watch.o

# What browsers run; the bundle is committed, so that a build takes Go alone.
page:
	$(GO) tool esbuild report/page/src/main.js --bundle --minify --format=iife --target=es2022 --outfile=report/page/page.js

# Packages of kernels are unpacked, not installed. It takes qemu-system-x86 and busybox-static.
KERNEL   ?= $(shell apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: //p')
kernels:
	mkdir -p build/kernels
	cd build/kernels && apt-get download $(KERNEL) && dpkg -x $(KERNEL)_*.deb $(KERNEL) && rm $(KERNEL)_*.deb
	SIGVIEW_LONG=1 $(GO) test -pgo=off -run TestOtherKernels -v -timeout 60m ./live/watch

man: sigview
	./sigview man --dir build/man

EXECS    ?= 1000000
fuzz-long:
	$(GO) run ./check/reliability/fuzz --execs $(EXECS)

.PHONY: soak
SOAK := 1h
soak:
	$(GO) run -buildvcs=false ./check/hunt/soak -for $(SOAK) -o testdata/reliability/soak.toml

fuzz-short:
	mkdir -p build
	rm -f build/fuzz.toml
	$(GO) run ./check/reliability/fuzz --execs 10000 --to build/fuzz.toml

RUNS      ?= 100000
SCHEDULES ?= 1000000
histories:
	$(GO) run ./check/history/rounds -runs $(RUNS) -out testdata/reliability/history.toml
	$(GO) test -run TestManySchedules -timeout 3h ./check/svmcheck -schedules $(SCHEDULES) -results $(abspath testdata/reliability/svm.toml)

supply:
	$(GO) run ./check/reliability/supply

mutants:
	$(GO) run ./check/mutants -only '$(MUTANTS)'

# HTSIM is the htsim_roce of a csg-htsim that you have built. Keep the machine otherwise idle.
PAIRS     ?= 5
peers:
	$(GO) run ./check/peers -htsim '$(HTSIM)' -pairs $(PAIRS) -only '$(ONLY)'

# The programs that hunt for faults write their results into testdata/reliability.
reliability:
	$(GO) run ./check/reliability/page

clean:
	rm -rf sigview build $(VENV)
