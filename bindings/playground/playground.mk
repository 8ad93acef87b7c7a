# The playground: the page, and under it the program as WebAssembly (port/port.mk). Part of the
# Makefile.

DEPS_playground := emscripten lld node-acorn nodejs npm dpkg-dev lua-argparse lua-dkjson

PORT := bindings/playground/port
WASM := $(BUILD)/wasm#          objects, sources of libraries, files for the page
PAGE := $(BUILD)/playground#    what is served
MODULES := $(WASM)/page#        the page's scripts with node_modules

include $(PORT)/port.mk

# The page's scripts are one file, by esbuild; what they need comes from npm.
PARTS   := bindings/playground/page

$(MODULES)/done: $(addprefix $(PARTS)/,package.json package-lock.json .npmrc) | $(BUILD)/deps/playground
	@mkdir -p $(@D) && cp $^ $(@D) && echo '  NPM   $(@D)'
	$(Q)(cd $(@D) && npm ci) >$(@D)/log 2>&1 || { tail -n 5 $(@D)/log; exit 1; }
	@touch $@

$(PAGE)/page.js: $(filter-out %/worker.js,$(wildcard $(PARTS)/*.js)) $(MODULES)/done
	@mkdir -p $(@D) && echo '  JS    $@'
	$(Q)cp $(filter %.js,$^) $(MODULES) && \
	    $(MODULES)/node_modules/.bin/esbuild $(MODULES)/main.js --bundle --minify --target=es2022 --log-level=warning \
	        --outfile=$@

$(PAGE)/guide.json: policies/README.md $(PORT)/guide.lua | $(BUILD)/deps/playground
	@mkdir -p $(@D)
	$(Q)$(LUA) $(PORT)/guide.lua <$< >$@

$(PAGE)/%: $(PARTS)/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

.PHONY: playground deps-playground test-playground
playground: $(addprefix $(PAGE)/,orrery.js page.js worker.js index.html page.css guide.json) ## build the playground, static files for any web server, into build/playground

deps-playground: $(LIBRARIES)/done ## install what the playground needs: Debian's emscripten, and sources

test-playground: all natives playground $(BROWSER)/done | $(BUILD)/deps/test ## build the playground, and run its specs
	$(Q)env ORRERY_PLAYGROUND='$(abspath $(PAGE))' $(TEST_ENV) $(LUA) spec/run.lua \
	    $(or $(BUSTED_ARGS),spec/bindings/playground)
