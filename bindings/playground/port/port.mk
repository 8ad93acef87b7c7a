# Kernel, bindings, Lua and its libraries as WebAssembly: $(PAGE)/orrery.js and its neighbours.

LIBRARIES := $(WASM)/sources

# Debian's emscripten finds its modules of node here.
EMCC := env NODE_PATH=/usr/share/nodejs EMCC_SKIP_SANITY_CHECK=1 emcc

# What stands in port/ in their place has the same functions.
NOT_PORTED := bindings/host/timer.c bindings/program/prompt.c bindings/support/confined.c bindings/support/filter.c \
              bindings/values/tallies.c
WASM_C := $(filter-out $(NOT_PORTED),$(patsubst $(BUILD)/%.o,%.c,$(KERNEL) $(MAIN) $(BINDING))) $(wildcard $(PORT)/*.c)
WASM_LUA := lapi lauxlib lbaselib lcode lcorolib lctype ldblib ldebug ldo ldump lfunc lgc liolib llex lmathlib lmem \
            loadlib lobject lopcodes loslib lparser lstate lstring lstrlib ltable ltablib ltm lundump lutf8lib lvm lzio
WASM_Z := adler32 crc32 inffast inflate inftrees zutil
WASM_JANSSON := dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value
WASM_LIBRARIES := $(WASM_LUA:%=lua/src/%) $(WASM_Z:%=zlib/%) $(WASM_JANSSON:%=jansson/src/%) libcsv/libcsv \
                  lua-filesystem/src/lfs
WASM_OBJECTS := $(WASM_C:%.c=$(WASM)/%.o) $(WASM_LIBRARIES:%=$(WASM)/libraries/%.o)

# Hot files are compiled for speed, the others for size. Lua's longjmp is an exception of WebAssembly, and a
# browser with exceptions has the other extensions, too. It links at -Os: at -Oz it would link another libm, with
# other last digits.
WASM_OPT := -Oz
HOT := $(addprefix $(WASM)/kernel/rigid/,run.o fast/greedy.o queue/queue.o) \
       $(WASM)/libraries/lua/src/lvm.o $(WASM)/libraries/lua/src/ltable.o
$(HOT): WASM_OPT := -O2
WASM_FLAGS = $(WASM_OPT) -std=c11 -D_GNU_SOURCE -fvisibility=hidden -ffp-contract=off -fno-math-errno \
             -DORI_GZIP_ONLY -DORI_COUNTED_ONLY -sSUPPORT_LONGJMP=wasm -mbulk-memory -msign-ext -mnontrapping-fptoint
EXTENSIONS := exception-handling bulk-memory sign-ext nontrapping-float-to-int mutable-globals
WASM_INCLUDES := -Ikernel -I. -I$(BUILD)/bindings -I$(PORT) $(addprefix -I$(LIBRARIES)/,lua/src libcsv jansson/src zlib)
WASM_LINK := -sMODULARIZE -sEXPORT_NAME=Orrery -sENVIRONMENT=worker,node -sINVOKE_RUN=0 -sALLOW_MEMORY_GROWTH \
             -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=8MB \
             -sEXPORTED_RUNTIME_METHODS=callMain,ccall,FS,ENV

$(LIBRARIES)/done: $(PORT)/sources $(PORT)/sources.sha256 | $(BUILD)/deps/playground
	@mkdir -p $(@D) && echo '  APT   $(@D)'
	$(Q)$(PORT)/sources $(@D) >$(@D)/log 2>&1 || { tail -n 5 $(@D)/log; \
	    echo 'The sources of Lua, libcsv, jansson, zlib and lfs cannot be had from Debian.'; exit 1; }
	@touch $@

$(WASM)/%.o: %.c $(PORT)/port.mk $(PORT)/port.h | $(LIBRARIES)/done
	@mkdir -p $(@D) && echo '  EMCC  $<'
	$(Q)$(EMCC) $(WASM_FLAGS) $(WARNINGS) -Wno-missing-field-initializers -Wno-bitwise-conditional-parentheses \
	    -include $(PORT)/port.h $(WASM_INCLUDES) -MMD -MP -c -o $@ $<

# The Lua files inside are text without comments, which is smaller than what is compiled. Some talk to
# other programs, which a browser does not have, write reports, which nobody could open, search for hours, or make
# machines of nodes, which ORI_COUNTED_ONLY leaves out. Help needs two of them, empty.
SHORT := $(WASM)/short
MACHINES := $(patsubst %,bindings/values/%.lua,machine nodes slurm_conf)
ABSENT := bindings/edc/component.lua bindings/program/serve.lua $(wildcard bindings/draw/search_*.lua) \
          $(patsubst %,bindings/draw/%.lua,report report_text redraw) \
          $(MACHINES) $(wildcard bindings/search/*.lua) bindings/schema/search.lua \
          $(patsubst %,bindings/command/%.lua,conformance shell_words lists reproduction cells drawing kinds page \
          paper_table verdict resume specification download result_plot)
SHORTENED := $(INSIDE) $(wildcard scripts/*.lua scripts/*/*.lua scripts/*/*/*.lua)
$(SHORT)/done: $(SHORTENED) $(PORT)/shorten.lua $(PORT)/port.mk | $(BUILD)/deps/playground
	@mkdir -p $(addprefix $(SHORT)/,$(sort $(dir $(SHORTENED)) bindings/command))
	$(Q)printf '%s\n' $(SHORTENED) | sed 's|.*|& $(SHORT)/&|; s| $(SHORT)/scripts\(/command/[^/]*\)$$| $(SHORT)/bindings\1|' | $(LUA) $(PORT)/shorten.lua
	$(Q)for file in $(ABSENT); do echo 'error("not in the playground", 0)' >$(SHORT)/$$file; done
	$(Q)for file in $(MACHINES); do echo 'error("machines (--machine) are not in the playground, which counts processors: give procs, pools and limits", 0)' >$(SHORT)/$$file; done
	$(Q)for file in schema/search search/outcome; do echo 'return { class = {} }' >$(SHORT)/bindings/$$file.lua; done
	@touch $@

$(WASM)/bindings/support/embedding.o: $(BUILD)/bindings/embedded.inc $(SHORT)/done
$(WASM)/bindings/support/embedding.o: WASM_FLAGS += -DORR_INSIDE='"$(SHORT)/bindings/"'

$(WASM)/libraries/%.o: $(LIBRARIES)/done $(PORT)/jumps.h $(PORT)/port.mk
	@mkdir -p $(@D) && echo '  EMCC  $*.c'
	$(Q)$(EMCC) $(WASM_FLAGS) -w -DLUA_USE_POSIX -DHAVE_STDINT_H -DHAVE_UNISTD_H -include $(PORT)/jumps.h \
	    $(WASM_INCLUDES) -c -o $@ $(LIBRARIES)/$*.c

# The files that it finds in /orrery: policies, commands and the month; and Lua's modules. Left out
# are commands that start or answer processes, load files, write files for an editor, or take hours, and their modules.
WASM_FILES := $(wildcard policies/*/*.lua data/mira/*.csv)
WASM_SCRIPTS := $(filter-out $(INSIDE) $(addprefix scripts/,reproduce/% sweep.lua merge.lua search.lua artifact.lua \
    serve.lua reproduce.lua fetch-mira.lua conform.lua completion.lua new-policy.lua check.lua machine.lua examples.lua examples/% \
    $(addprefix command/,sweep/% search/% artifact/% new_policy/% check/%)), \
    $(wildcard scripts/*.lua scripts/*/*.lua scripts/*/*/*.lua))
PAGE_LUA := $(wildcard bindings/playground/*.lua)

$(WASM)/files/done: $(WASM_FILES) $(SHORT)/done $(PAGE_LUA) $(PORT)/port.mk
	@rm -rf $(@D) && mkdir -p $(@D)/usr/share/lua/5.4 $(@D)/orrery/playground
	$(Q)cp --parents $(WASM_FILES) $(@D)/orrery
	$(Q)cd $(SHORT) && cp --parents $(WASM_SCRIPTS) $(abspath $(@D))/orrery
	$(Q){ for file in $(PAGE_LUA); do echo $$file $(@D)/orrery/playground/$${file##*/}; done; \
	    for name in argparse dkjson; do echo /usr/share/lua/5.4/$$name.lua $(@D)/usr/share/lua/5.4/$$name.lua; done; \
	    } | $(LUA) $(PORT)/shorten.lua
	@touch $@

$(PAGE)/orrery.js: private WASM_OPT := -Os
$(PAGE)/orrery.js: $(WASM_OBJECTS) $(WASM)/files/done $(MODULES)/done
	@mkdir -p $(@D) && echo '  EMCC  $@'
	$(Q)$(EMCC) $(WASM_FLAGS) $(WASM_LINK) -o $@ $(WASM_OBJECTS) --preload-file $(WASM)/files@/ --exclude-file '*/done'
	$(Q)wasm-opt -Oz $(EXTENSIONS:%=--enable-%) $(@:.js=.wasm) -o $(@:.js=.wasm)
	$(Q)$(MODULES)/node_modules/.bin/esbuild $@ --minify --target=es2022 --log-level=warning --allow-overwrite --outfile=$@

-include $(patsubst %.c,$(WASM)/%.d,$(WASM_C))
