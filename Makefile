# What a contributor runs. `make help` lists it. Needs Go; a C compiler for the race
# detector. Written for make 3.81 and sh, which every system has.

.DEFAULT_GOAL := help
.PHONY: all bench bench-peers browser check check-files check-lint check-vet crash docs e2e fetch fuzz help lines mutants office \
	parts run run-linuxagent run-mcp temporal-server test
# A go.work in a folder above would change which modules are used.
export GOWORK := off

BENCHTIME  ?= 1s
FUZZTIME   ?= 20s
SYSTEMS    ?= linux windows darwin
RUNS       ?= 10
ADDRESS    ?= 127.0.0.1:8080
BASE       ?= origin/main
BENCHFLAGS ?=
CRASHFLAGS ?=
MUTANTFLAGS ?=
# These two take more time than all others together: .ci/run adds staticcheck, make all both.
LINTFLAGS  ?= --disable staticcheck,contextcheck
# No test talks to a provider, whatever the environment has.
LOCAL = unset OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL
# The modules with tests that need programs of others. The longest comes first.
E2E = examples/browser adapters/openai adapters/anthropic adapters/mcp adapters/playwright adapters/sqlstore internal/lab/integration/guides
# Those of the engines, which .ci/run leaves to make all: a server of theirs takes ten minutes to build.
ENGINES = adapters/temporal adapters/dbos internal/lab/integration/crash
# Those that need a screen.
SCREENS = adapters/linuxdesktop examples/office
E2ERUN = ^TestReal
# One document, one crash, a few documents that are easy to read wrongly, chosen by the hash of the commit, and one task:
# make all has all of them, which take an hour.
e2e/examples/office: E2ERUN = ^TestReal(Documents|KilledOffice)$$/^\.xlsx$$|^TestReal(WordCases|WindowsOfAPerson)$$
e2e/examples/office: export AGENTFSM_SAMPLE = 8/$(shell git rev-parse HEAD)
e2e/examples/office e2e/adapters/linuxdesktop: export AGENTFSM_RUNS = 1
# make e2e SAMPLE=4 tries a quarter of the cases in browsers, chosen by the hash of the commit, and lists the others.
e2e/examples/browser e2e/adapters/playwright: export AGENTFSM_SAMPLE = $(if $(SAMPLE),$(SAMPLE)/$(shell git rev-parse HEAD))
# What a target prints stays together if make can do that.
TOGETHER = $(MAKE) --no-print-directory -k -j 2 $(if $(filter output-sync,$(.FEATURES)),-O)

# Programs take these as they were written, so that a $ in a request is a $.
$(foreach v,IN OUT REQUEST CONFIRM DIR COLUMN MODEL PICTURES,$(eval export RUN_$v := $$(value $v)))
# Programs run where make was called, so relative names of files mean files there. With -C that is PWD: make has left it
# already, which shows in its flags. PWD alone would not do, because a program that calls make may leave an old one.
export CALLER_DIR := $(if $(filter --no-print-directory,$(MAKEFLAGS))$(findstring w,$(firstword -$(MAKEFLAGS)))$(findstring s,$(firstword -$(MAKEFLAGS))),$(or $(PWD),$(CURDIR)),$(CURDIR))
# With MODEL a real model decides: another main package, which is built only then.
WITHMODEL = $(if $(value MODEL),/withmodel)
# The programs without flags: their module and package.
PROGRAM_embed   = examples ./embed$(WITHMODEL)
PROGRAM_service = examples ./service$(WITHMODEL)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9%-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

run: export RUN_CONFIRM := $(or $(value CONFIRM),$(if $(value OUT),,yes))
run: export RUN_OUT := $(or $(value OUT),$(CURDIR)/out/chart.xlsx)
run: ## run the quickstart; IN=x.docx OUT=y.xlsx REQUEST=text CONFIRM=ask|yes|no; with MODEL=name a real model decides
	@.ci/program examples ./quickstart$(WITHMODEL) -out=OUT -in=IN -request=REQUEST -confirm=CONFIRM

run-linuxagent: export RUN_CONFIRM := $(or $(value CONFIRM),$(if $(value DIR)$(value OUT),,yes))
run-linuxagent: export RUN_OUT := $(or $(value OUT),$(CURDIR)/out/answer.xlsx)
run-linuxagent: ## run the LinuxAgent on CSV files; DIR=folder COLUMN=name OUT=y.xlsx CONFIRM=ask|yes|no MODEL=name
	@.ci/program examples ./linuxagent$(WITHMODEL) -workbook=OUT -dir=DIR -column=COLUMN -confirm=CONFIRM

run-mcp: ## serve agents of agentfsm as one tool of an MCP server; ADDRESS=127.0.0.1:8080
	@cd adapters/mcp && exec go run ./example -http "$(ADDRESS)"

run-%: ## run one of the examples embed and service, also with MODEL=name
	@.ci/program $(or $(PROGRAM_$*),$(error there is no program $*))

browser: export AGENTFSM_REALPARTS ?= $(CURDIR)/internal/lab/realparts/.parts
browser: parts ## order what is missing in real browsers: RUNS=10 data sets, and once with a no
	@$(LOCAL); .ci/browser $(RUNS)

office: export RUN_IN := $(or $(value IN),$(CURDIR)/examples/quickstart/program/testdata/sales.docx)
office: export RUN_OUT := $(or $(value OUT),$(CURDIR)/out/sales.xlsx)
office: ## take a table from a document to a chart in a real LibreOffice; IN=x.docx OUT=y.ods REQUEST=text CONFIRM=ask|yes|no MODEL=name PICTURES=dir
	@internal/lab/realparts/install.sh office
	@.ci/program examples ./office$(WITHMODEL) -in=IN -out=OUT -request=REQUEST -confirm=CONFIRM -pictures=PICTURES

crash: ## kill drivers of runs at every record and at random moments: files, SQLite, PostgreSQL; CRASHFLAGS="-seed 7 -store files -v"
	@internal/lab/realparts/install.sh postgres
	@go -C internal/lab/integration build -o "$(CURDIR)/bin/crash" ./crash && exec bin/crash $(CRASHFLAGS)

parts: # installs programs of others: with npm, and Chromium, PostgreSQL, LibreOffice and a display with apt-get
	@internal/lab/realparts/install.sh
	@internal/lab/realparts/install.sh desktop

temporal-server: ## build bin/temporal-server, which the tests of adapters/temporal talk to; takes ten minutes
	@go -C internal/lab/temporalserver mod tidy -diff
	@go -C internal/lab/temporalserver build -ldflags='-s -w' -o "$(CURDIR)/bin/temporal-server" .

test: ## test every module in its short form, the core with coverage and the race detector; FORM=whole has all cases and real parts
	@$(LOCAL); .ci/test $(FORM)

e2e: parts ## test against programs of others, which it installs: servers, a browser, a database, a desktop; SAMPLE=4
	@$(TOGETHER) $(SCREENS:%=e2e/%) $(E2E:%=e2e/%) $(ENGINES:%=e2e/%)

e2e/adapters/temporal e2e/internal/lab/integration/crash: temporal-server
e2e/%:
	@$(LOCAL); echo "== $*"; cd $* && "$(CURDIR)/.ci/sampled" go test -p 1 -count=1 -timeout 30m -run '$(E2ERUN)' ./...

# Two at a time, the long ones first. The linter vets, too. Faults are planted in packages that differ from BASE.
check: ## everything that must hold before a push
	@$(TOGETHER) check-lint test check-files mutants MUTANTFLAGS="-changed $(BASE) -budget 3m"

all: ## every check whole: all faults, crashes, data sets, systems, a minute of fuzzing a target; takes hours
	@.ci/all

check-files: ## gofmt, go mod tidy and make docs have nothing to change
	@list=$$(gofmt -l .) || exit 1; if [ -n "$$list" ]; then echo "not formatted (run gofmt -w):"; echo "$$list"; exit 1; fi
	@go run ./internal/lab/generate -check
	@.ci/each go mod tidy -diff
	@go -C internal/tools mod tidy -diff

check-vet: ## every module type-checks and vets for other systems, too; SYSTEMS="linux windows darwin"
	@for os in $(SYSTEMS); do echo "-- $$os"; CGO_ENABLED=0 GOOS=$$os .ci/each go vet ./... || exit 1; done

# The last module first: the tests beside it begin with the first one, and nothing is
# compiled by both. With so little memory collected it needs 2 GB and a fifth less time.
check-lint: ## golangci-lint, with vet; LINTFLAGS= adds its two slow linters
	@go -C internal/tools build -ldflags='-s -w' -o "$(CURDIR)/bin/" tool
	@GOGC=400 GOMEMLIMIT=3GiB .ci/each -reverse "$(CURDIR)/bin/golangci-lint" run --config "$(CURDIR)/.golangci.yml" $(LINTFLAGS) ./...

bench: ## benchmarks of the core, and of an Append in a database beside a bare INSERT; BENCHTIME=1s
	@go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) ./...
	@go -C adapters/sqlstore test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) .
bench-peers: ## print what a step costs here and in other libraries; BENCHFLAGS="-turns 1 -n 100" is sooner, -write renews docs/comparison.md
	@cd internal/lab/integration && exec go run ./bench $(BENCHFLAGS)

fuzz: ## every fuzz target for FUZZTIME=20s
	@.ci/fuzz $(FUZZTIME)

mutants: ## plant each known fault; the test that it names must catch it; MUTANTFLAGS="-sample 20"
	@go -C internal/lab run ./mutants -min 150 $(MUTANTFLAGS)

fetch: ## tag a clone, and get the core and each adapter from it into empty modules
	@internal/lab/release/release.sh check
docs: ## renew the diagrams and the code in the documents
	@go generate .
lines: ## print the production lines of each part of the repository
	@go run ./internal/lab/counts -lines
