# make install, uninstall, man, dist, deb, deb-source. The Makefile includes this.
#
#   PREFIX (/usr/local) and DESTDIR, in front of everything. Below PREFIX, each may be given:
#   BINDIR LIBEXECDIR DATADIR MANDIR DOCDIR BASHDIR ZSHDIR LIBDIR INCLUDEDIR UNITDIR

BINDIR     ?= $(PREFIX)/bin
LIBEXECDIR ?= $(PREFIX)/libexec
DATADIR    ?= $(PREFIX)/share
MANDIR     ?= $(DATADIR)/man
DOCDIR     ?= $(DATADIR)/doc/pagewise
BASHDIR    ?= $(DATADIR)/bash-completion/completions
ZSHDIR     ?= $(DATADIR)/zsh/site-functions
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
UNITDIR    ?= $(PREFIX)/lib/systemd
OWN_DIRS   := $(DOCDIR) $(DATADIR)/pagewise $(LIBEXECDIR)/pagewise

.PHONY: install uninstall man completion dist deb deb-source

# ---- what is installed ---------------------------------------------------------------------

MAN_PAGES := $(LOADERS:%=build/man/%.1)
RUN       := build/share/loader.run
OPTIONS   := build/share/options
COMPLETION := $(addprefix build/completion/,loaders.bash _loaders _loader-binfmt _page-profile _pagewise)

man: $(MAN_PAGES)

# The loaders' options as a table, for what is made from it.
$(OPTIONS): share/options/print.c Makefile
	$(call step,CC,$@)
	$(CC) $(C_UNIT) -I. -MF $@.d -MT $@ -o $@.program $<
	$@.program > $@

-include $(OPTIONS).d

# In loader.1.in a line that begins with @NAME@ is for that loader, @lazy@ for the two lazy ones, @eager@ for the other.
LAZY_all_at_once_loader := eager
LAZY_on_demand_loader   := lazy
LAZY_hybrid_loader      := lazy

$(MAN_PAGES): build/man/%.1: docs/man/loader.1.in share/options/man.awk $(OPTIONS) share/install.mk
	@mkdir -p $(@D)
	sed -e 's/@LOADER@/$*/g; s/@TITLE@/\U$*/; s/^@$*@//' $(LAZY_$*:%=-e 's/^@%@//') \
	    -e '/^@[a-z_]*@/d' $< | awk -v lazy=$(LAZY_$*) -f share/options/man.awk $(OPTIONS) - > $@

# A folder for zsh's fpath, so with both of its functions.
completion: $(COMPLETION)

build/completion/%: share/completion/%.in $(OPTIONS)
	@mkdir -p $(@D)
	sed -e '/^@OPTIONS@$$/{' -e 'r $(OPTIONS)' -e 'd' -e '}' $< > $@

build/completion/_loader-binfmt build/completion/_page-profile build/completion/_pagewise: build/completion/%: share/completion/%
	@mkdir -p $(@D)
	cp $< $@

# What binfmt_misc starts, one for each loader: the same program by three names.
$(RUN): share/binfmt/run.c
	$(call step,CC,$@)
	musl-gcc -static -std=gnu17 $(WARNINGS) -Os -o $@ $<

# The lab without its solution and tests.
DOCUMENTS := $(shell find docs -type f ! -path 'docs/lab/solution/*' ! -name '*.bats' ! -name .gitignore)
# FROM:TO, and TARGET:LINK. Other scripts of share/ keep their folders.
OTHER_SHARE := $(filter-out %.mk share/deb/% share/dist/% share/completion/% share/binfmt/% share/options/% share/placement/% share/profile/% share/order/% share/command/% share/systemd/%, \
                 $(shell find share -type f ! -path '*/__pycache__/*'))
INSTALLED := $(foreach l,$(LOADERS),$(l):$(BINDIR)/$(l) build/man/$(l).1:$(MANDIR)/man1/$(l).1) \
             $(foreach f,LICENSE CHANGELOG.md CONTRIBUTING.md README.md SECURITY.md $(DOCUMENTS),$(f):$(DOCDIR)/$(f)) \
             $(foreach f,$(OTHER_SHARE),$(f):$(DATADIR)/pagewise/$(f:share/%=%)) \
             $(foreach m,system user,share/systemd/$(m)/pagewise-warm.service:$(UNITDIR)/$(m)/pagewise-warm.service) \
             docs/man/loader-binfmt.1:$(MANDIR)/man1/loader-binfmt.1 \
             pagewise:$(BINDIR)/pagewise \
             $(foreach p,pagewise page-layout page-profile,docs/man/$(p).1:$(MANDIR)/man1/$(p).1) \
             $(LIBPLACEMENT):$(LIBDIR)/libplacement.a share/placement/placement.pc.in:$(LIBDIR)/pkgconfig/placement.pc \
             share/placement/placement.h:$(INCLUDEDIR)/placement.h \
             docs/man/placement.3:$(MANDIR)/man3/placement.3 \
             build/completion/loaders.bash:$(BASHDIR)/$(firstword $(LOADERS)) \
             build/completion/_loaders:$(ZSHDIR)/_loaders \
             build/completion/_loader-binfmt:$(ZSHDIR)/_loader-binfmt \
             build/completion/_page-profile:$(ZSHDIR)/_page-profile \
             build/completion/_pagewise:$(ZSHDIR)/_pagewise \
             $(RUN):$(LIBEXECDIR)/pagewise/$(firstword $(LOADERS)).run \
             share/binfmt/loader-binfmt:$(LIBEXECDIR)/pagewise/loader-binfmt
# pagewise finds the script only where it lies by default.
BINFMT    := $(if $(filter $(PREFIX)/bin:$(PREFIX)/libexec,$(BINDIR):$(LIBEXECDIR)),$(BINDIR)/pagewise,$(LIBEXECDIR)/pagewise/loader-binfmt)
LINKED    := $(foreach l,$(wordlist 2,9,$(LOADERS)), \
               $(BASHDIR)/$(firstword $(LOADERS)):$(BASHDIR)/$(l) \
               $(LIBEXECDIR)/pagewise/$(firstword $(LOADERS)).run:$(LIBEXECDIR)/pagewise/$(l).run) \
             $(foreach l,$(LOADERS),$(BINDIR)/$(l):$(LIBEXECDIR)/pagewise/$(l)) \
             $(foreach l,$(LOADERS),$(LIBEXECDIR)/pagewise/$(firstword $(LOADERS)).run:$(LIBEXECDIR)/pagewise/$(l).profile.run) \
             $(BINFMT):$(BINDIR)/loader-binfmt \
             $(foreach t,page-layout page-profile,$(BINDIR)/pagewise:$(BINDIR)/$(t)) \
             $(foreach c,loader-binfmt page-profile pagewise,$(BASHDIR)/$(firstword $(LOADERS)):$(BASHDIR)/$(c))

# ---- onto the machine and off it -----------------------------------------------------------

install: $(LOADERS) pagewise man completion $(RUN) placement
	@set -e; for pair in $(INSTALLED); do \
	  mode=644; [ ! -x "$${pair%%:*}" ] || mode=755; \
	  install -D -m $$mode "$${pair%%:*}" "$(DESTDIR)$${pair#*:}"; \
	done; sed -i -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' "$(DESTDIR)$(LIBDIR)/pkgconfig/placement.pc"; \
	for pair in $(LINKED); do \
	  ln -sfr "$(DESTDIR)$${pair%%:*}" "$(DESTDIR)$${pair#*:}"; \
	done

# Folders that others use, too, stay.
uninstall:
	@for pair in $(INSTALLED) $(LINKED); do rm -f "$(DESTDIR)$${pair#*:}"; done
	@for folder in $(OWN_DIRS); do \
	  [ ! -d "$(DESTDIR)$$folder" ] || find "$(DESTDIR)$$folder" -depth -type d -empty -delete; \
	done

# ---- what is handed out ---------------------------------------------------------------------

# The time of all that is packed: the last commit's or, in an archive of the source, that of its files.
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell if [ -e .git ]; then git log -1 --format=%ct; else stat -c %Y LICENSE; fi))

dist: $(LOADERS)
	@rm -rf build/dist build/dist-stage
	@$(MAKE) --no-print-directory install DESTDIR=build/dist-stage PREFIX=/usr/local
	@SOURCE_DATE_EPOCH=$(EPOCH) share/dist/make_dist.sh $(VERSION) $(ARCH) build/dist-stage build/dist
	@rm -r build/dist-stage

# ---- a Debian package ----------------------------------------------------------------------

# What Debian calls this machine's architecture.
DEBIAN_ARCH := $(or $(shell dpkg --print-architecture 2>/dev/null),$(ARCH))
DEB         := build/pagewise_$(VERSION)_$(DEBIAN_ARCH).deb

deb: $(LOADERS)
	@rm -rf build/deb
	@$(MAKE) --no-print-directory install DESTDIR=build/deb PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions \
		LIBDIR=/usr/lib/$(ARCH)-linux-gnu
	@SOURCE_DATE_EPOCH=$(EPOCH) share/deb/make_deb.sh build/deb $(VERSION) $(DEBIAN_ARCH) $(DEB)

# For dpkg-buildpackage, which builds it with debhelper.
deb-source: dist
	@rm -rf build/deb-source
	@SOURCE_DATE_EPOCH=$(EPOCH) share/deb/make_source.sh $(VERSION) build/dist/pagewise-$(VERSION).tar.gz build/deb-source
