# Orrery: every task a person runs. `make help` lists them.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# --- What you may set ------------------------------------------------------------------------------

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib#   such as /usr/lib/x86_64-linux-gnu
DESTDIR ?=
BUILD   ?= build#       another folder keeps the program and the module inside it
SAN     ?=#             sanitizers: SAN=address,undefined or SAN=thread; use another BUILD with it
WERROR  ?=#             -Werror to refuse warnings
CFLAGS  ?= -O2 -g
LUA     ?= lua5.4#      runs the specs
LUAC    ?= lua5.4#      compiles the Lua files inside the program: the Lua that is linked
OBJCOPY ?= objcopy
V       ?=#             V=1 to see whole commands
BUSTED_ARGS ?=#         such as --filter=shelf, or paths of specs and folders of them
REPRODUCE_ARGS ?=#      such as --quick; with a target of its own also --figure 2

# --- What everything is called ---------------------------------------------------------------------

VERSION := $(shell sed -n 's/^.define ORR_VERSION "\(.*\)"/\1/p' kernel/base/api.h)
MAJOR   := $(firstword $(subst ., ,$(VERSION)))

OUT     := $(if $(filter build,$(BUILD)),.,$(BUILD))
PROGRAM := $(OUT)/orrery
MODULE  := $(OUT)/orrery.so
ARCHIVE := $(BUILD)/liborrery.a
SHARED  := $(BUILD)/liborrery.so
BATSIM  := $(BUILD)/liborrery-edc.so#  a scheduler for Batsim

META    := $(BUILD)/meta/orrery.lua#  what editors know of the module
MAN     := $(BUILD)/orrery.1
DOCS    := README.md CHANGELOG.md SECURITY.md LICENSE CITATION.cff $(wildcard */README.md data/*/README.md spec/*.md policies/GALLERY.md policies/pictures/*)
HEADERS := $(filter-out %_internal.h,$(sort $(wildcard kernel/*/*.h kernel/*/*/*.h)))
KERNEL  := $(patsubst %.c,$(BUILD)/%.o,$(filter-out kernel/examples/%,$(sort $(wildcard kernel/*/*.c kernel/*/*/*.c))))
FUZZ_KERNEL := $(KERNEL:$(BUILD)/%=$(BUILD)/fuzz/%)
MAIN    := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard bindings/program/*.c)))# of the program alone
EDC     := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard bindings/edc/*.c)))# of the scheduler for Batsim
BINDING := $(filter-out $(MAIN) $(EDC),$(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard bindings/*.c bindings/*/*.c))))
DOCUMENTS := bindings/reference/docs# what writes manuals, in the checkout alone
INSIDE  := $(filter-out $(DOCUMENTS)/% bindings/playground/%,$(wildcard bindings/*.lua bindings/*/*.lua bindings/*/*/*.lua \
             bindings/draw/*.js bindings/draw/*.css scripts/command/*.lua))
NAMES   := $(sort $(patsubst bindings/%,%,$(INSIDE:scripts/%=%)))# of these files inside
NATIVES := $(patsubst spec/native/%.c,$(BUILD)/spec/%.so,$(sort $(wildcard spec/native/*.c)))
FAULTY  := $(BUILD)/spec/faulty#  runs a command whose calls of the operating system fail
BROWSER := build/browser#       what drives chromium in specs, from npm
REPLAYS := $(patsubst %,$(BUILD)/spec/fuzz-%,rigid malleable packs workload)
BENCHES := $(patsubst spec/bench/%.c,$(BUILD)/bench/%,$(sort $(wildcard spec/bench/*.c))) \
           $(patsubst spec/bench/%.cpp,$(BUILD)/bench/%,$(sort $(wildcard spec/bench/*.cpp)))

# --- What it needs (Debian's names) ----------------------------------------------------------------

DEPS_build := gcc libc6-dev lua5.4 liblua5.4-dev libcsv-dev libjansson-dev zlib1g-dev liblzma-dev libbz2-dev libzstd-dev libreadline-dev libseccomp-dev \
              lua-argparse lua-dkjson lua-filesystem gnuplot-nox librsvg2-bin curl ca-certificates tzdata
DEPS_test  := lua-busted lua-socket g++ clang pkg-config libpcg-cpp-dev tmux glpk-utils groff-base nodejs procps python3 zsh fish locales
DEPS_browser := nodejs npm chromium
DEPS_bench := valgrind
DEPS_fuzz  := clang llvm
DEPS_slurm := munge slurmctld slurmd slurm-client
DEPS_lint  := clang clang-format clang-tidy lua-check nodejs

# --- How it is compiled ----------------------------------------------------------------------------

# Results must not depend on the machine: no -ffast-math, no -march=native, no fused multiply-add.
FLAGS = -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -fno-semantic-interposition -ffp-contract=off \
        -fno-math-errno -pthread -Ikernel $(LUA_FLAGS) $(WARNINGS) $(WERROR) $(SAN_FLAGS)
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
SAN_FLAGS  := $(if $(SAN),-DORI_CHECKS -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LUA_FLAGS   = -I. -I$(BUILD)/bindings $(or $(shell pkg-config --cflags lua5.4 2>/dev/null),-I/usr/include/lua5.4)
LUA_LIBS    = $(or $(shell pkg-config --libs lua5.4 2>/dev/null),-llua5.4)
LIBS       := -lcsv -ljansson -lz -llzma -lbz2 -lzstd -lm
FILTER     := -lseccomp#            of the bindings alone

Q       = $(if $(V),,@)
COMPILE = $(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP
LINK    = $(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS)

# --- Building --------------------------------------------------------------------------------------

.PHONY: all natives deps deps-all FORCE
all: $(ARCHIVE) $(SHARED) $(MODULE) $(PROGRAM) $(BATSIM) $(META) $(MAN) ## build the libraries, the Lua module and ./orrery

$(BUILD)/%.o: %.c Makefile | $(BUILD)/deps/build
	@mkdir -p $(@D) && echo '  CC    $<'
	$(Q)$(COMPILE) -c -o $@ $<

$(BUILD)/kernel/%.o: LUA_FLAGS =

# The files inside the module: one line for each, written anew when one comes or goes. Lua is
# compiled, which takes most of the time of a short command.
$(BUILD)/bindings/support/embedding.o: $(BUILD)/bindings/embedded.inc $(BUILD)/bindings/inside.made

$(BUILD)/bindings/support/embedding.o: CPPFLAGS += -DORR_INSIDE='"$(BUILD)/inside/"'

define COMPILE_INSIDE
for path in io.lines() do
  local file, name = assert(io.open(path, "rb")), path:match "/(.*)"
  local text = file:read "a"
  if name:find "[.]lua$$" then text = string.dump(assert(load(text, "=orrery/" .. name))) end
  local to = assert(io.open("$(BUILD)/inside/" .. name, "wb"))
  assert(to:write(text))
  assert(to:close())
end
endef
export COMPILE_INSIDE

$(BUILD)/bindings/inside.made: $(INSIDE) Makefile | $(BUILD)/deps/build
	@mkdir -p $(@D) $(addprefix $(BUILD)/inside/,$(sort $(dir $(NAMES))))
	$(Q)printf '%s\n' $(INSIDE) | $(LUAC) -e "$$COMPILE_INSIDE" && touch $@

$(BUILD)/bindings/embedded.inc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(NAMES) | \
	    awk '{ name = $$0; lua = sub(/[.]lua$$/, "", name); gsub("/", ".", name); \
	        if (name != "orrery") name = "orrery." name; \
	        printf "EMBEDDED(%d, \"%s\", \"%s\", %d)\n", NR, $$0, name, lua }' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# One object, in which the internal names (ori_) are local: they cannot collide with a client's.
$(BUILD)/liborrery.o: $(KERNEL)
	@echo '  LINK  $@'
	$(Q)$(CC) -r -nostdlib -o $@ $^ && $(OBJCOPY) --localize-hidden $@

$(ARCHIVE): $(BUILD)/liborrery.o
	@rm -f $@ && echo '  AR    $@'
	$(Q)$(AR) rcs $@ $^

$(SHARED): $(KERNEL)
	@echo '  LINK  $@'
	$(Q)$(LINK) -shared -Wl,-soname,liborrery.so.$(MAJOR) -o $@ $^ $(LIBS)

$(MODULE): $(BINDING) $(ARCHIVE)
	@echo '  LINK  $@'
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -o $@ $^ $(FILTER) $(LIBS)

$(PROGRAM): $(MAIN) $(BINDING) $(ARCHIVE)
	@echo '  LINK  $@'
	$(Q)$(LINK) -o $@ $^ $(LUA_LIBS) -lreadline -ldl $(FILTER) $(LIBS)

$(BATSIM): $(EDC) $(BINDING) $(ARCHIVE)
	@echo '  LINK  $@'
	$(Q)$(LINK) -shared -Wl,-soname,liborrery-edc.so -Wl,--exclude-libs,ALL -o $@ $^ $(LUA_LIBS) -ldl $(FILTER) $(LIBS)

# Scripts of the tree require each other by their places in it.
export LUA_PATH_5_4 := $(CURDIR)/?.lua;;

# Of what is shipped, not of what the user has besides.
WRITE = ORRERY_PATH= ORRERY_HOME='$(CURDIR)' XDG_CONFIG_HOME=/nonexistent ASAN_OPTIONS=detect_leaks=0 \
        $(PROGRAM) $(DOCUMENTS)/write.lua

$(META): $(PROGRAM) $(wildcard $(DOCUMENTS)/*.lua)
	@mkdir -p $(@D) && echo '  WRITE $@'
	$(Q)$(WRITE) annotations $@

$(MAN): $(PROGRAM) $(wildcard $(DOCUMENTS)/*.lua scripts/*.lua scripts/command/*.lua)
	@mkdir -p $(@D) && echo '  WRITE $@'
	$(Q)$(WRITE) man $@

natives: $(NATIVES) $(FAULTY) $(REPLAYS)

$(FAULTY): spec/support/faulty.c
	@mkdir -p $(@D) && echo '  CC    $<'
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(WERROR) $(CPPFLAGS) $(CFLAGS) -o $@ $<

# They also test internal functions, which the archive hides.
$(BUILD)/spec/%.so: spec/native/%.c $(KERNEL)
	@mkdir -p $(@D) && echo '  CC    $<'
	$(Q)$(COMPILE) -shared -o $@ $< $(KERNEL) $(FILTER) $(LIBS)

$(BUILD)/bench/%: spec/bench/%.c $(ARCHIVE)
	@mkdir -p $(@D) && echo '  CC    $<'
	$(Q)$(COMPILE) -o $@ $< $(ARCHIVE) $(LIBS)

# The bare loop is as fast as a compiler makes it.
$(BUILD)/bench/bare: private CFLAGS += -O3 -march=native

$(BUILD)/bench/%: spec/bench/%.cpp $(ARCHIVE)
	@mkdir -p $(@D) && echo '  CXX   $<'
	$(Q)$(CXX) -std=c++17 -Wall -Wextra -Werror -Ikernel $(CFLAGS) -MMD -MP -o $@ $< $(ARCHIVE) $(LIBS)

deps: $(BUILD)/deps/build $(BUILD)/deps/test ## install what building and testing need

deps-all: deps $(patsubst %,$(BUILD)/deps/%,bench lint fuzz package slurm) $(BROWSER)/done ## and what measuring, fuzzing, linting, packaging and all specs need

# A plain build changes nothing on the machine: it says what is missing.
INSTALLING := $(filter deps% playground deb test-packages replay reproduce% bench% test% trust-report fuzz% lint% format,$(MAKECMDGOALS))

$(BUILD)/deps/%: Makefile .ci/deps
	@.ci/deps $(if $(INSTALLING),,--check) $(DEPS_$*)
	@mkdir -p $(@D) && touch $@

# Where npm reaches no registry, the specs that look at pages say so and are skipped.
$(BROWSER)/done: $(addprefix spec/browser/,package.json package-lock.json .npmrc) | $(BUILD)/deps/browser
	@mkdir -p $(@D) && cp $^ $(@D) && echo '  NPM   $(@D)'
	$(Q)if (cd $(@D) && npm ci) >$(@D)/log 2>&1; then touch $@; else tail -n 5 $(@D)/log; fi

-include $(patsubst %.o,%.d,$(FUZZ_KERNEL) $(KERNEL) $(BINDING) $(MAIN) $(EDC)) $(NATIVES:.so=.d) $(BENCHES:=.d)

# --- Running ---------------------------------------------------------------------------------------

REPRODUCTIONS := rr9296 redistribution packs redirection learned failing-packs checkpointing \
    policies

.PHONY: replay reproduce reproduce-names $(REPRODUCTIONS:%=reproduce-%) bench bench-tables bench-against bench-instructions bench-search
replay: all ## replay the bundled month under five heuristics, as table 1 of the paper
	@mkdir -p results
	$(PROGRAM) replay --batch --by day --priority lpt \
	    --policy dispatch/greedy --policy dispatch/easy --policy dispatch/list:reservations=all \
	    --policy dispatch/shelf --policy dispatch/shelf-nofill \
	    --q 0 --q 0.05 --q 0.1 --runs 100 --table results/table1.csv --plot results/table1.png
	@echo 'The table is in results/table1.csv, its plot in results/table1.png.'

reproduce: reproduce-names $(REPRODUCTIONS:%=reproduce-%) ## run the papers' experiments again, and judge their statements: all of the following
reproduce-names:
	@echo 'make reproduce runs, into results/: $(REPRODUCTIONS)'

reproduce-rr9296: all ## silent errors (RR-9296) alone
	$(PROGRAM) reproduce rr9296 --out results/rr9296 $(REPRODUCE_ARGS)

reproduce-redistribution: all ## redistribution (RR-8795) alone
	$(PROGRAM) reproduce redistribution --out results/redistribution $(REPRODUCE_ARGS)

reproduce-packs: all ## packs (J. Scheduling 2016) alone
	$(PROGRAM) reproduce packs --out results/packs $(REPRODUCE_ARGS)

reproduce-failing-packs: all ## packs where processors fail: no paper, but an experiment
	$(PROGRAM) reproduce failing-packs --out results/failing-packs $(REPRODUCE_ARGS)

reproduce-redirection: all ## redirection (IPDPSW 2020) alone; REPRODUCE_ARGS may name logs
	$(PROGRAM) reproduce redirection --out results/redirection $(REPRODUCE_ARGS)

reproduce-learned: all ## learned rules, F1 to F4 (SC 2017) alone
	$(PROGRAM) reproduce learned --out results/learned $(REPRODUCE_ARGS)

reproduce-checkpointing: all ## checkpoints under schedulers: statements of several papers, and an experiment
	$(PROGRAM) reproduce checkpointing --out results/checkpointing $(REPRODUCE_ARGS)

reproduce-policies: all ## the tests of this project's own policies: error-aware, likely-short, cautious-saving
	$(PROGRAM) reproduce policies --out results/policies $(REPRODUCE_ARGS)

.PHONY: docs pictures
docs: all ## write the tables of the READMEs anew, from bindings/schema/ and what papers have
	$(Q)$(WRITE)

pictures: all ## draw the pictures of the documents anew, and rank the policies: policies/GALLERY.md
	rm -rf results/gallery policies/pictures/*.svg
	$(PROGRAM) sweep bindings/reference/docs/ranks_jobs.lua -o results/gallery/jobs
	$(PROGRAM) sweep bindings/reference/docs/ranks_tasks.lua -o results/gallery/tasks
	$(PROGRAM) bindings/reference/docs/gallery.lua results/gallery

bench: all $(BENCHES) ## measure how cost grows, of every family: results/bench/index.html; QUICK=1: in two minutes; BESIDE=COMMIT: it, too
	ORRERY_BENCH='$(abspath $(BUILD))/bench' ORRERY_PROGRAM='$(PROGRAM)' ORRERY_BENCH_BESIDE='$(BESIDE)' \
	    $(PROGRAM) spec/bench/curves.lua results/bench $(if $(QUICK),quick)

bench-against: all $(BUILD)/bench/bare ## fixed workloads on COMMIT and on this tree, alternating: times, and whether outputs are the same; WORKS=million: some
	$(PROGRAM) spec/bench/against.lua '$(COMMIT)'

bench-tables: all $(BENCHES) $(BROWSER)/done ## measure single things, against plain programs: prints tables
	ORRERY_BENCH='$(abspath $(BUILD))/bench' ORRERY_BROWSER='$(abspath $(BROWSER))' $(PROGRAM) spec/bench/bench.lua

bench-instructions: all | $(BUILD)/deps/bench ## count the instructions of fixed workloads; NOTE='why' records them
	$(Q)ORRERY_PROGRAM='$(PROGRAM)' NOTE='$(NOTE)' $(PROGRAM) spec/bench/instructions.lua

bench-search: all ## evaluations a second of searches, against orrery.compare for each candidate
	$(Q)mkdir -p $(BUILD)/bench/logs && ORRERY_BENCH_FOLDER='$(abspath $(BUILD))/bench/logs' $(PROGRAM) spec/bench/search.lua

# --- Testing ---------------------------------------------------------------------------------------

.PHONY: mutants test test-all test-san test-tsan test-slurm test-filesystems test-fresh trust-report
test: all natives | $(BUILD)/deps/test ## run the specs, but for the longest ones, with few random instances
	$(Q)env $(TEST_ENV) $(LUA) spec/run.lua $(BUSTED_ARGS)

trust-report: all $(NATIVES) | $(BUILD)/deps/test ## what the promises of SECURITY.md are tested by, in numbers
	$(Q)env $(TEST_ENV) LUA='$(LUA)' BUILD='$(BUILD)' $(LUA) -e 'require("spec.support.trust_report").print()'

attacks: all $(NATIVES) | $(BUILD)/deps/test ## what comes of attacks on the program, written to spec/ATTACKS.md
	$(Q)env $(TEST_ENV) $(LUA) -e 'require("spec.support.attacks").write()'

test-all: $(BROWSER)/done ## run all specs, with all their random instances
	@ORRERY_ROUNDS=all $(MAKE) --no-print-directory test

test-san: ## as test, with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory test BUILD=build/san SAN=address,undefined

test-tsan: ## as test, with the thread sanitizer
	@$(MAKE) --no-print-directory test BUILD=build/tsan SAN=thread LUA='$(abspath build/tsan/orrery)'

# Each is fuzzed for this long, s. What is found lies in build/fuzz; what is worth keeping goes to
# spec/fuzz/corpus, which the specs read, too. With FUZZ_SEED it is a fixed sequence of inputs, of
# which FUZZ_INPUTS are tried (0: as many as the processor can in FUZZ_SECONDS).
FUZZ_SECONDS ?= 60
FUZZ_SEED    ?=#        none: at random, guided by what is covered
FUZZ_INPUTS  ?= 0
READERS      := log failures faults outages windows tasks
APIS         := $(REPLAYS:$(BUILD)/spec/fuzz-%=%)
FUZZED       ?= $(READERS) $(APIS) policies
FUZZ_FLAGS    = $(FLAGS) -g -O1 -fno-omit-frame-pointer -Wno-bitwise-conditional-parentheses
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -DORI_CHECKS

.PHONY: fuzz fuzz-coverage fuzz-policies $(READERS:%=fuzz-%) $(APIS:%=fuzz-%)
fuzz: $(FUZZED:%=fuzz-%) ## fuzz readers, the C API and policies, each for FUZZ_SECONDS (60); FUZZED=rigid: one

$(READERS:%=fuzz-%): FUZZ_MORE := -use_value_profile=1 -dict=spec/fuzz/words.dict -max_len=4096
$(READERS:%=fuzz-%): FUZZ_WORDS := spec/fuzz/words.dict
$(READERS:%=fuzz-%): FUZZ_LARGEST := 4096
$(APIS:%=fuzz-%): FUZZ_MORE := -max_len=600
$(APIS:%=fuzz-%): FUZZ_LARGEST := 600

ifneq ($(FUZZ_SEED),)
$(READERS:%=fuzz-%) $(APIS:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/%-sequence
	$(Q)ASAN_OPTIONS=hard_rss_limit_mb=4000 $< $(FUZZ_SEED) $(FUZZ_SECONDS) $(FUZZ_INPUTS) $(FUZZ_LARGEST) \
	        spec/fuzz/corpus/$* $(BUILD)/fuzz/$* $(FUZZ_WORDS) >$<.log 2>&1 \
	        || { tail -n 40 $<.log; exit 1; }; \
	    echo "fuzzed $*: $$(tail -n 1 $<.log)"
else
$(READERS:%=fuzz-%) $(APIS:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/%
	$(Q)mkdir -p $(BUILD)/fuzz/found-$* && \
	    $< -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2000 -print_final_stats=1 -verbosity=0 \
	        $(FUZZ_MORE) -artifact_prefix=$<- $(BUILD)/fuzz/found-$* spec/fuzz/corpus/$* >$<.log 2>&1 \
	        || { tail -n 40 $<.log; exit 1; }; \
	    echo "fuzzed $*: $$(awk '/units:/ { print $$2 }' $<.log) inputs"
endif

# By the program that has the sanitizers. The interpreter has them, too, so that nothing is preloaded.
fuzz-policies:
	$(Q)$(MAKE) --no-print-directory BUILD=build/san SAN=address,undefined build/san/orrery >/dev/null
	$(Q)mkdir -p $(BUILD)/fuzz
	$(Q)LUA_PATH_5_4='$(CURDIR)/?.lua;;' ASAN_OPTIONS=exitcode=99 LSAN_OPTIONS=suppressions='$(CURDIR)/.ci/leaks' \
	    timeout -k 5 $$(($(FUZZ_SECONDS) + 60)) build/san/orrery spec/fuzz/policies.lua $(FUZZ_SECONDS) \
	        $(BUILD)/fuzz $(if $(FUZZ_SEED),$(FUZZ_SEED) $(FUZZ_INPUTS)) >$(BUILD)/fuzz/policies.log 2>&1 || { tail -n 40 $(BUILD)/fuzz/policies.log; exit 1; }
	$(Q)tail -n 1 $(BUILD)/fuzz/policies.log

.SECONDARY: $(BUILD)/deps/fuzz

fuzz-coverage: $(READERS:%=$(BUILD)/fuzz/%-coverage) ## which lines of the readers the corpus reaches
	$(Q)for reader in $(READERS); do \
	    LLVM_PROFILE_FILE=$(BUILD)/fuzz/$$reader.profraw $(BUILD)/fuzz/$$reader-coverage -runs=0 \
	        spec/fuzz/corpus/$$reader >/dev/null 2>&1 || exit; \
	done
	$(Q)llvm-profdata merge -o $(BUILD)/fuzz/all.profdata $(READERS:%=$(BUILD)/fuzz/%.profraw)
	$(Q)llvm-cov report $(firstword $(READERS:%=$(BUILD)/fuzz/%-coverage)) \
	    $(patsubst %,-object $(BUILD)/fuzz/%-coverage,$(wordlist 2,9,$(READERS))) \
	    -instr-profile=$(BUILD)/fuzz/all.profdata -show-functions=0 -show-branch-summary=0 \
	    $(patsubst %,kernel/workload/%.c,columns json labels map reader records rows slurm source) \
	    $(sort $(wildcard kernel/workload/read_*.c))

$(BUILD)/fuzz/kernel/%.o: kernel/%.c Makefile | $(BUILD)/deps/fuzz
	@mkdir -p $(@D) && echo '  CLANG $<'
	$(Q)clang $(FUZZ_FLAGS) $(FUZZ_SANITIZE) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/kernel/%.o: LUA_FLAGS =

$(READERS:%=$(BUILD)/fuzz/%-coverage): $(BUILD)/fuzz/%-coverage: spec/fuzz/readers.c spec/fuzz/fuzz.h $(KERNEL)
	@mkdir -p $(@D) && echo '  CLANG $@'
	$(Q)clang $(FUZZ_FLAGS) -DREADER_$(shell echo $* | tr a-z A-Z) -fsanitize=fuzzer -fprofile-instr-generate \
	    -fcoverage-mapping -o $@ $< $(wildcard kernel/base/*.c kernel/workload/*.c) $(LIBS)

$(READERS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: spec/fuzz/readers.c $(wildcard spec/fuzz/*.h) $(FUZZ_KERNEL)
	@echo '  CLANG $@'
	$(Q)clang $(FUZZ_FLAGS) $(FUZZ_SANITIZE) -DREADER_$(shell echo $* | tr a-z A-Z) -fsanitize=fuzzer -o $@ $< \
	    $(FUZZ_KERNEL) $(LIBS)

$(APIS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: spec/fuzz/%.c $(wildcard spec/fuzz/*.h) $(FUZZ_KERNEL)
	@echo '  CLANG $@'
	$(Q)clang $(FUZZ_FLAGS) $(FUZZ_SANITIZE) -fsanitize=fuzzer -o $@ $< $(FUZZ_KERNEL) $(LIBS)

# The same with inputs of a fixed sequence in place of libFuzzer's.
$(READERS:%=$(BUILD)/fuzz/%-sequence): $(BUILD)/fuzz/%-sequence: spec/fuzz/readers.c spec/fuzz/replay.c $(wildcard spec/fuzz/*.h) $(FUZZ_KERNEL)
	@echo '  CLANG $@'
	$(Q)clang $(FUZZ_FLAGS) $(FUZZ_SANITIZE) -DREADER_$(shell echo $* | tr a-z A-Z) -o $@ $< spec/fuzz/replay.c \
	    $(FUZZ_KERNEL) $(LIBS)

$(APIS:%=$(BUILD)/fuzz/%-sequence): $(BUILD)/fuzz/%-sequence: spec/fuzz/%.c spec/fuzz/replay.c $(wildcard spec/fuzz/*.h) $(FUZZ_KERNEL)
	@echo '  CLANG $@'
	$(Q)clang $(FUZZ_FLAGS) $(FUZZ_SANITIZE) -o $@ $< spec/fuzz/replay.c $(FUZZ_KERNEL) $(LIBS)

# What the fuzzers do with a file of the corpus, without libFuzzer: for the specs.
$(APIS:%=$(BUILD)/spec/fuzz-%): $(BUILD)/spec/fuzz-%: spec/fuzz/%.c spec/fuzz/replay.c $(wildcard spec/fuzz/*.h) $(ARCHIVE)
	@mkdir -p $(@D) && echo '  CC    $<'
	$(Q)$(LINK) -o $@ $< spec/fuzz/replay.c $(ARCHIVE) $(LIBS)

test-slurm: all | $(BUILD)/deps/slurm ## run sweeps on a Slurm of its own, as root
	$(Q)spec/slurm/test $(PROGRAM)

test-fresh: | $(BUILD)/deps/package ## `make replay` and `make test` of the last commit in a bare Debian, as root
	$(Q)spec/fresh/test

mutants: all natives ## N mutants of FILES (default: 100 of all), and which of them the specs kill; SEED=1; AGAIN=FILE: the survivors of an earlier list
	$(Q)$(LUA) spec/support/mutants.lua '$(or $(FILES),kernel bindings scripts policies)' $(or $(N),100) $(or $(SEED),1) '$(AGAIN)'

test-filesystems: all natives ## run and kill sweeps on every file system that can be mounted here, as root
	$(Q)spec/filesystems/test $(PROGRAM) $(FAULTY)

TEST_ENV = LANG='$(or $(LANG),C.UTF-8)' ORRERY='$(abspath $(PROGRAM))' ORRERY_BUILD='$(abspath $(BUILD))' ORRERY_FAULTY='$(abspath $(FAULTY))' \
           ORRERY_BROWSER='$(abspath $(BROWSER))' LUA_PATH_5_4='$(CURDIR)/?.lua;;' \
           LUA_CPATH_5_4='$(abspath $(BUILD))/spec/?.so;$(abspath $(OUT))/?.so;;' $(SAN_ENV)

# The stock interpreter is not built with a sanitizer: its runtime has to be loaded first. Its own
# exit status keeps a report from looking like the program's status for bad input. (/bin/sh does not
# bear the runtime of the thread sanitizer: there the program itself is the interpreter.)
ifneq ($(SAN),)
SAN_LIBS := $(patsubst %,libasan.so,$(findstring address,$(SAN))) \
            $(patsubst %,libubsan.so,$(findstring undefined,$(SAN)))
SAN_ENV = LD_PRELOAD='$(foreach lib,$(SAN_LIBS),$(shell $(CC) -print-file-name=$(lib)))' \
          ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1 \
          LSAN_OPTIONS=suppressions='$(CURDIR)/.ci/leaks':print_suppressions=0 \
          UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=exitcode=99
endif

# --- Checking --------------------------------------------------------------------------------------

.PHONY: lint lint-format lint-tidy lint-lua lint-js lint-house format
lint: lint-format lint-tidy lint-lua lint-js lint-house ## check format, habits and the rules of the house

C_FILES   := $(sort $(wildcard kernel/*.h kernel/*/*.[ch] kernel/*/*/*.[ch] bindings/*.[ch] bindings/*/*.[ch] spec/native/*.[ch] spec/support/*.[ch] \
             spec/bench/*.[ch]))
LUA_PARTS := $(wildcard policies scripts bindings spec)

lint-format: | $(BUILD)/deps/lint
	@echo '  clang-format'
	$(Q)clang-format --dry-run -Werror $(C_FILES) $(wildcard spec/fuzz/*.[ch] $(PORT)/*.[ch])

lint-tidy: | $(BUILD)/deps/build $(BUILD)/deps/lint $(BUILD)/bindings/embedded.inc
	@echo '  clang-tidy'
	$(Q)printf '%s\n' $(filter %.c,$(C_FILES)) | \
	    xargs -n 1 -P "$$(nproc)" sh -c 'clang-tidy --quiet "$$0" -- $(FLAGS)'

lint-lua: | $(BUILD)/deps/lint
	@echo '  luacheck'
	$(Q)luacheck --quiet --no-color $(LUA_PARTS)

lint-js: | $(BUILD)/deps/lint
	@echo '  node --check'
	$(Q)for file in $(wildcard bindings/*/*.js bindings/playground/*/*.js spec/browser/*.js spec/bindings/*/*.js); do \
	    node --check $$file || exit; \
	done

lint-house: $(ARCHIVE) $(MAIN) $(BINDING) $(EDC) | $(BUILD)/deps/test $(BUILD)/deps/lint
	@echo '  the rules of the house'
	$(Q)CC='$(CC)' .ci/house $(ARCHIVE)
	$(Q).ci/rooms $(BUILD)

format: | $(BUILD)/deps/lint ## lay out all C code as .clang-format says
	clang-format -i $(C_FILES) $(wildcard spec/fuzz/*.[ch] $(PORT)/*.[ch])

# --- The playground ---------------------------------------------------------------------------------

include bindings/playground/playground.mk

# --- Installing ------------------------------------------------------------------------------------

.PHONY: install uninstall
ROOT := $(DESTDIR)$(PREFIX)
LIB  := $(DESTDIR)$(LIBDIR)
COMPLETION := share/bash-completion/completions/orrery share/zsh/site-functions/_orrery \
              share/fish/vendor_completions.d/orrery.fish

install: all ## install under PREFIX (default /usr/local), staged under DESTDIR
	install -D $(PROGRAM) '$(ROOT)/bin/orrery'
	install -Dm644 $(MODULE) '$(LIB)/lua/5.4/orrery.so'
	install -Dm644 $(ARCHIVE) '$(LIB)/liborrery.a'
	install -Dm644 $(SHARED) '$(LIB)/liborrery.so.$(VERSION)'
	ln -sf liborrery.so.$(VERSION) '$(LIB)/liborrery.so.$(MAJOR)'
	ln -sf liborrery.so.$(MAJOR) '$(LIB)/liborrery.so'
	install -Dm644 $(BATSIM) '$(LIB)/liborrery-edc.so'
	for h in $(HEADERS:kernel/%=%); do \
	    up=$$(echo $$h | sed 's|[^/]*$$||; s|[^/]*/|../|g'); \
	    sed "s|^#include \"\([a-z]*/\)|#include \"$$up\1|" kernel/$$h | \
	        install -Dm644 /dev/stdin '$(ROOT)/include/orrery/'$$h || exit; \
	done
	sed 's|^#include "|&orrery/|' kernel/orrery.h | install -Dm644 /dev/stdin '$(ROOT)/include/orrery.h'
	sed 's|@VERSION@|$(VERSION)|; s|@LIBS@|-pthread $(LIBS)|; s|@PREFIX@|'"$$(realpath -ms \
	    --relative-to='$(LIBDIR)/pkgconfig' '$(PREFIX)')|" kernel/orrery.pc.in | \
	    install -Dm644 /dev/stdin '$(LIB)/pkgconfig/orrery.pc'
	find policies scripts data -path $(PACKAGE) -prune -o -type f \
	    -exec install -Dm644 '{}' '$(ROOT)/share/orrery/{}' \;
	install -Dm644 $(META) '$(ROOT)/share/orrery/meta/orrery.lua'
	install -Dm644 $(MAN) '$(ROOT)/share/man/man1/orrery.1'
	install -Dm644 scripts/completion/orrery.bash '$(ROOT)/$(word 1,$(COMPLETION))'
	install -Dm644 scripts/completion/_orrery '$(ROOT)/$(word 2,$(COMPLETION))'
	install -Dm644 scripts/completion/orrery.fish '$(ROOT)/$(word 3,$(COMPLETION))'
	for d in $(DOCS); do install -Dm644 $$d '$(ROOT)/share/doc/orrery/'$$d || exit; done

uninstall: ## remove what `make install` with the same PREFIX put there
	rm -f '$(ROOT)/bin/orrery' '$(LIB)/lua/5.4/orrery.so' '$(LIB)/pkgconfig/orrery.pc'
	rm -f '$(LIB)'/liborrery.a '$(LIB)'/liborrery.so* '$(LIB)/liborrery-edc.so' '$(ROOT)/include/orrery.h'
	rm -f '$(ROOT)/share/man/man1/orrery.1' $(COMPLETION:%='$(ROOT)/%')
	rm -rf '$(ROOT)/include/orrery' '$(ROOT)/share/orrery' '$(ROOT)/share/doc/orrery'

include scripts/package/package.mk

# --- The rest --------------------------------------------------------------------------------------

.PHONY: clean help
clean: ## remove everything that was built
	rm -rf $(sort build $(BUILD)) orrery orrery.so

help: ## list these tasks
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-24s %s\n", $$1, $$2 }' \
	    Makefile $(PACKAGE)/package.mk bindings/playground/playground.mk
