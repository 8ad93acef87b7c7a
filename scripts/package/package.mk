# Packages: what others install. A part of the Makefile, which `make help` lists with it.

DEPS_package := debhelper dpkg-dev fakeroot lintian luarocks mmdebstrap

PACKAGE  := scripts/package
DIST     := $(BUILD)/orrery-$(VERSION).tar.gz
PORTABLE := $(BUILD)/orrery-$(VERSION)-linux-$(shell uname -m).tar.gz
ROCKSPEC := orrery-$(VERSION)-1.rockspec

.PHONY: dist deb portable rockspec install-rock test-packages
dist: ## write build/orrery-VERSION.tar.gz, the source archive: the same bytes for the same files
	$(Q)$(PACKAGE)/dist '$(VERSION)' '$(DIST)'

deb: dist | $(BUILD)/deps/build $(BUILD)/deps/package ## build Debian's packages, in build/deb
	$(Q)$(PACKAGE)/deb '$(VERSION)' '$(DIST)' $(BUILD)/deb

portable: all ## write an archive of the program with its libraries, for any Linux of this processor
	$(Q)$(PACKAGE)/portable '$(VERSION)' $(PROGRAM) $(MAN) '$(PORTABLE)'

rockspec: $(BUILD)/$(ROCKSPEC) ## write the rockspec into build; `luarocks make build/orrery-*.rockspec` installs it

$(BUILD)/$(ROCKSPEC): $(PACKAGE)/rockspec.in kernel/base/api.h
	@mkdir -p $(@D) && echo '  WRITE $@'
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< >$@

# What luarocks calls: the folders of the rock are in ROCK, ROCK_LIB, ROCK_BIN.
install-rock: all
	install -Dm644 $(MODULE) '$(ROCK_LIB)/orrery.so'
	install -D $(PROGRAM) '$(ROCK_BIN)/orrery'
	find policies scripts data -path $(PACKAGE) -prune -o -type f \
	    -exec install -Dm644 '{}' '$(ROCK)/share/orrery/{}' \;

test-packages: dist portable rockspec | $(BUILD)/deps/package ## build and install all packages, in roots of their own, as root
	$(Q)env -u MAKEFLAGS -u MAKELEVEL $(PACKAGE)/test '$(VERSION)' '$(DIST)' '$(PORTABLE)' $(BUILD)/$(ROCKSPEC)
