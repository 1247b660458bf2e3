# SPDX-License-Identifier: Apache-2.0
# The front door: every target sets up what it needs. CMake does the building (see CMakePresets.json).
#
#   make demo    build, compare the mechanisms on a few workloads, leave report.html
#   make test    build, run every test (with totals on the last line)
#   make check   the same, then unit tests and commands under sanitizers, and clang-tidy
#
.DEFAULT_GOAL := build
.NOTPARALLEL:
prefix ?= /usr/local
.PHONY: build build-all web web-where-possible install deb demo test sanitize races check matrix asan tsan bench silicon likeness repro repro-check answers fuzz random mechs format format-check tidy layers setup setup-test setup-check setup-dev setup-web slurm-test clean help

BUILD := build/release
FUZZ_SECONDS ?= 600
SEEDS ?= 10000 10099
TRACES ?= 0 999
SILICON ?= ../shared/silicon/h200-sass

help:
	@echo "make demo    compare the mechanisms on a few workloads, leave report.html"
	@echo "make test    build and run every test"
	@echo "make check   build and run every test, unit tests and commands under sanitizers as well, and clang-tidy"
	@echo "make matrix  40 programs on every preset with every overlay, beside the cycles and counters that are kept"
	@echo "make suite   every workload at small and default size, at every register limit, on three GPUs"
	@echo "make build   build $(BUILD)/bankshot"
	@echo "make web     build/web/index.html: the simulator as a page for a browser"
	@echo "make install copy program, library, headers, manual page under prefix=$(prefix) (DESTDIR before it)"
	@echo "make deb     make a Debian package, build/bankshot_VERSION_ARCH.deb"
	@echo "make bench   measure speed: lines 'bench NAME VALUE UNIT'"
	@echo "make likeness  the code beside that of NVIDIA's assembler (tools/likeness NAME... for some)"
	@echo "make silicon the timing model beside a real H200: microbenchmarks, and programs where SILICON has them"
	@echo "make repro   figures and claims of the papers: docs/generated/reproduction.md (hours; goes on where it was stopped)"
	@echo "make answers headroom, fronts and the papers' conclusions on today's chips: docs/generated/answers.md (hours on two cores, minutes with"
	@echo "             SPECS=tools/answers.d/quick; goes on where it was stopped; SOURCES=DIR has checkouts of public programs)"
	@echo "make repro-check  fails where docs/generated/reproduction.md is of another model than this tree's"
	@echo "make asan    every test under the address and undefined-behaviour sanitizers"
	@echo "make tsan    every test under the thread sanitizer"
	@echo "make slurm-test  a sweep on a Slurm of one node that is started for it (as root, with Debian's slurm-wlm and munge)"
	@echo "make fuzz    every fuzzer for FUZZ_SECONDS=$(FUZZ_SECONDS)"
	@echo "make random  random programs SEEDS='$(SEEDS)' (first, last) at every register limit and switch,"
	@echo "             then on the timing model; and random traces TRACES='$(TRACES)' there"
	@echo "make mechs   every program at small size and 10,000 random traces with --check, for each of MECHS (default: all; hours)"
	@echo "make tidy    clang-tidy over src/"
	@echo "make format  clang-format over the tree"
	@echo "make clean   remove build/"

setup:
	@tools/setup.sh build

setup-test:
	@tools/setup.sh test

setup-check:
	@tools/setup.sh check

setup-dev:
	@tools/setup.sh dev

setup-web:
	@tools/setup.sh web

# $(call build,PRESET,TARGET)
define build
@tools/configure $(1)
@cmake --build build/$(1) --target $(2)
endef

build: setup
	$(call build,release,product)

install: build
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(prefix)" --strip >/dev/null
	@echo "bankshot is in $(DESTDIR)$(prefix)/bin"

deb: build
	@cd $(BUILD) && cpack >cpack.log || { cat cpack.log; exit 1; }
	@mv $(BUILD)/bankshot_*.deb build/ && ls build/bankshot_*.deb

build-all: setup
	$(call build,release,all)

test: setup-test build-all web-where-possible
	@tools/race --check $(BUILD)/bankshot || :
	@tools/run-tests $(BUILD)

# What finds what the tests do not look for: unit tests and commands under the address and undefined-behaviour sanitizers, and (five
# minutes more on two cores, not in CI) tests of threads under the thread sanitizer, and clang-tidy.
sanitize: setup-check
	$(call build,check-asan,tests-asan)
	@tools/run-tests build/check-asan:asan

races: setup-check
	$(call build,check-tsan,tests-tsan)
	@tools/configure clang
	@tools/run-tests build/check-tsan:tsan build/clang:tidy

check: test sanitize races

# A change that is not meant to move a cycle moves none of these.
matrix: build
	@tools/matrix $(BUILD)/bankshot compare tests/matrix/small.txt

# 77: there is no Slurm here, or no right to start one.
slurm-test: build
	@KERNELS_DIR=$(CURDIR)/kernels tests/slurm/slurm.sh $(BUILD)/bankshot || [ $$? = 77 ]

# build/web/index.html: the simulator as a page. WEB_BUILD keeps the objects. make test tries it in Chromium.
WEB_BUILD := build/web-wasm
web: setup-web
	@cmake -S web -B $(WEB_BUILD) -G Ninja >/dev/null
	@cmake --build $(WEB_BUILD)
	@web/make-page $(WEB_BUILD)/bankshot.wasm build/web "$$(sed -n 's/.*db_model_digest.*"\(.*\)".*/\1/p' $(WEB_BUILD)/generated/db_generated.c)"

# For make test: the page that tests/web tries, built where its tools and a browser are, in the objects of the last time.
web-where-possible:
	@if command -v chromium >/dev/null && command -v node >/dev/null && command -v wasm-ld-19 >/dev/null && \
		[ -d /usr/include/wasm32-wasi ]; then $(MAKE) --no-print-directory web >build/web.log 2>&1 || { cat build/web.log; exit 1; }; \
	else echo "no page for a browser: chromium, node, wasm-ld-19 or wasi-libc is missing"; fi

demo: build
	@tools/demo $(BUILD)/bankshot

bench: setup
	$(call build,release,bankshot-bench)
	@$(BUILD)/bankshot-bench

# Results stay in build/results.db: what is there is not measured again.
repro: build
	@$(BUILD)/bankshot repro --db build/results.db --out docs/generated/reproduction --csv build/claims.csv
	@tools/front

SPECS = tools/answers.d
answers: build
	@tools/answers-traces $(BUILD)/bankshot build/answers-traces $(SOURCES)
	@tools/answers $(BUILD)/bankshot --db build/answers.db --specs $(SPECS)

# Are the published results of this tree's model? They say which one they are of.
repro-check: build
	@tools/repro-model $(BUILD)/generated/db_generated.c docs/generated/reproduction.md

likeness: build
	@BANKSHOT=$(BUILD)/bankshot tools/likeness

silicon: build
	@tools/silicon $(BUILD)/bankshot
	@LAUNCHES=1 tools/silicon-sass $(BUILD)/bankshot $(SILICON)
	@tools/silicon-pairs $(BUILD)/bankshot $(SILICON)

suite: build-all
	@MATRIX=full ctest --test-dir $(BUILD) -j "$$(nproc)" --timeout 3000 -R '^workloads/' --output-on-failure

asan tsan: setup
	$(call build,$@,all)
	@tools/run-tests build/$@

fuzz: setup-check
	$(call build,fuzz,all)
	@tools/fuzz build/fuzz $(FUZZ_SECONDS)

random: build-all
	@$(BUILD)/test_random_random $(SEEDS)
	@$(BUILD)/test_random_timing $(SEEDS)
	@$(BUILD)/test_gpu_random $(TRACES)

mechs: build-all
	@tools/mech-check $(BUILD) $(MECHS)

format: setup-dev
	@tools/format

format-check:
	@tools/format --check

layers:
	@tools/layers src

tidy: setup-check
	@tools/configure clang
	@tools/tidy build/clang

clean:
	rm -rf build
