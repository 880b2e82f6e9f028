# What a contributor runs. `make help` lists it. Needs Go; a C compiler for the
# race detector. Written for make 3.81 and sh, which every system has.

.DEFAULT_GOAL := help
# A go.work in a folder above would change which modules are used.
export GOWORK := off

BENCHTIME ?= 1s
FUZZTIME  ?= 20s
FAULTS_MIN ?= 200
SYSTEMS   ?= linux windows darwin
RUNS      ?= 10
ADDRESS   ?= 127.0.0.1:8080
BASE      ?= origin/main
TESTFLAGS ?=
BENCHFLAGS ?=
CRASHFLAGS ?=
# These two take more time than all others together: .ci/run adds staticcheck, make all both.
LINTFLAGS ?= --disable staticcheck,contextcheck
# No test talks to a provider, whatever the environment has.
LOCAL = unset OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL
# What make check runs. The long ones come first. The linter vets, too, for this system.
CHECKS = check-lint test check-fmt check-docs check-tidy mutants-changed
# The modules with tests that need programs of others. The longest comes first.
E2E = examples/browser adapters/openai adapters/anthropic adapters/mcp adapters/playwright adapters/sqlstore internal/lab/integration
# Those of the engines, which .ci/run leaves to make all: a server of theirs takes ten minutes to build.
ENGINES = adapters/temporal adapters/dbos examples/service 
# Those that need a screen: what they do is to take five minutes of .ci/run, packages included.
SCREENS = adapters/linuxdesktop examples/office
# One document, one crash, two or three documents that are easy to read wrongly, chosen by the hash of the commit, and one task:
# make all has all of them, which take an hour.
e2e/examples/office: E2ERUN = ^TestReal(Documents|KilledOffice)$$/^\.xlsx$$|^TestReal(WordCases|WindowsOfAPerson)$$
e2e/examples/office: export AGENTFSM_SAMPLE = 8/$(shell git rev-parse HEAD)
e2e/examples/office e2e/adapters/linuxdesktop: export AGENTFSM_RUNS = 1
E2ERUN = ^TestReal
# Those whose cases take minutes: make e2e SAMPLE=4 tries a quarter of them, chosen by the hash of the commit, and lists the others.
e2e/examples/browser e2e/adapters/playwright: export AGENTFSM_SAMPLE = $(if $(SAMPLE),$(SAMPLE)/$(shell git rev-parse HEAD))
# What a target prints stays together where make can do that.
OUTPUT_SYNC = $(if $(filter output-sync,$(.FEATURES)),-O)

# Taken as they were written, so that a $ in a request is a $.
export RUN_IN      := $(value IN)
export RUN_OUT     := $(value OUT)
export RUN_REQUEST := $(value REQUEST)
export RUN_CONFIRM := $(value CONFIRM)
export RUN_DIR     := $(value DIR)
export RUN_COLUMN  := $(value COLUMN)
export RUN_MODEL   := $(value MODEL)
export RUN_PICTURES := $(value PICTURES)
# IN and OUT are relative to where make was called. With -C that is PWD: make has
# left it already, which shows in its flags (w, or what silences it). PWD alone
# would not do, because a program that calls make may leave an old one.
CALLER = $(if $(filter --no-print-directory,$(MAKEFLAGS))$(findstring w,$(firstword -$(MAKEFLAGS)))$(findstring s,$(firstword -$(MAKEFLAGS))),$(or $(PWD),$(CURDIR)),$(CURDIR))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## run the quickstart; IN=x.docx OUT=y.xlsx REQUEST=text CONFIRM=ask|yes|no
	@caller="$(CALLER)"; \
	in=$$RUN_IN; case $$in in ''|/*) ;; *) in=$$caller/$$in ;; esac; \
	out=$$RUN_OUT; case $$out in ''|/*) ;; *) out=$$caller/$$out ;; esac; \
	confirm=$$RUN_CONFIRM; \
	if [ -z "$$out" ]; then mkdir -p out && out="$(CURDIR)/out/chart.xlsx"; confirm=$${confirm:-yes}; fi; \
	set -- -out "$$out"; \
	if [ -n "$$in" ]; then set -- "$$@" -in "$$in"; fi; \
	if [ -n "$$RUN_REQUEST" ]; then set -- "$$@" -request "$$RUN_REQUEST"; fi; \
	if [ -n "$$confirm" ]; then set -- "$$@" -confirm "$$confirm"; fi; \
	cd examples && exec go run ./quickstart "$$@"

.PHONY: run-linuxagent
run-linuxagent: ## run the LinuxAgent on CSV files; DIR=folder COLUMN=name OUT=y.xlsx CONFIRM=ask|yes|no
	@caller="$(CALLER)"; \
	dir=$$RUN_DIR; case $$dir in ''|/*) ;; *) dir=$$caller/$$dir ;; esac; \
	out=$$RUN_OUT; case $$out in ''|/*) ;; *) out=$$caller/$$out ;; esac; \
	confirm=$$RUN_CONFIRM; \
	if [ -z "$$dir$$out" ]; then confirm=$${confirm:-yes}; fi; \
	if [ -z "$$out" ]; then mkdir -p out && out="$(CURDIR)/out/answer.xlsx"; fi; \
	set -- -workbook "$$out"; \
	if [ -n "$$dir" ]; then set -- "$$@" -dir "$$dir"; fi; \
	if [ -n "$$RUN_COLUMN" ]; then set -- "$$@" -column "$$RUN_COLUMN"; fi; \
	if [ -n "$$confirm" ]; then set -- "$$@" -confirm "$$confirm"; fi; \
	cd examples && exec go run ./linuxagent "$$@"

.PHONY: run-embed
run-embed: ## run the example of rounds inside a program of your own
	@cd examples && exec go run ./embed

.PHONY: run-resume
run-resume: ## run the example of a run that is killed, resumed, and answered by other processes
	@cd examples && exec go run ./resume

.PHONY: run-service
run-service: ## run the example of a service: workers, one of them killed, a server, and answers over HTTP
	@cd examples/service && exec go run .

.PHONY: run-adk
run-adk: ## run an agent of the ADK that hands a task to agents of agentfsm
	@cd adapters/adk && exec go run ./example

.PHONY: run-mcp
run-mcp: ## serve agents of agentfsm as one tool of an MCP server; ADDRESS=127.0.0.1:8080
	@cd adapters/mcp && exec go run ./example -http "$(ADDRESS)"

.PHONY: run-eino
run-eino: ## run an agent of Eino that hands a task to agents of agentfsm
	@cd adapters/eino && exec go run ./example

.PHONY: browser
browser: export AGENTFSM_REALPARTS ?= $(CURDIR)/internal/lab/realparts/.parts
browser: parts ## order what is missing in real browsers: RUNS=10 data sets, and once with a no
	@$(LOCAL); tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && trap 'exit 130' INT && trap 'exit 143' TERM && cd examples/browser && go build -o "$$tmp/browser" . && \
	"$$tmp/browser" -runs $(RUNS) -confirm yes -out "$$tmp/out" && \
	if "$$tmp/browser" -seed 1 -confirm no -out "$$tmp/no" >"$$tmp/log" 2>&1; then cat "$$tmp/log"; echo "-confirm no must fail"; exit 1; fi && \
	cat "$$tmp/log" && grep -q '^FAIL after' "$$tmp/log" && grep -q 'database has no order' "$$tmp/log"

.PHONY: office
office: ## take a table from a document to a chart in a real LibreOffice; IN=x.docx OUT=y.ods REQUEST=text CONFIRM=ask|yes|no MODEL=name PICTURES=dir
	@internal/lab/realparts/install.sh office
	@caller="$(CALLER)"; \
	in=$$RUN_IN; case $$in in /*) ;; '') in="$(CURDIR)/examples/internal/office/testdata/sales.docx" ;; *) in=$$caller/$$in ;; esac; \
	out=$$RUN_OUT; case $$out in /*) ;; '') mkdir -p out && out="$(CURDIR)/out/sales.xlsx" ;; *) out=$$caller/$$out ;; esac; \
	pictures=$$RUN_PICTURES; case $$pictures in ''|/*) ;; *) pictures=$$caller/$$pictures ;; esac; \
	set -- -in "$$in" -out "$$out"; \
	if [ -n "$$RUN_REQUEST" ]; then set -- "$$@" -request "$$RUN_REQUEST"; fi; \
	if [ -n "$$RUN_CONFIRM" ]; then set -- "$$@" -confirm "$$RUN_CONFIRM"; fi; \
	if [ -n "$$RUN_MODEL" ]; then set -- "$$@" -model "$$RUN_MODEL"; fi; \
	if [ -n "$$pictures" ]; then set -- "$$@" -pictures "$$pictures"; fi; \
	cd examples/office && exec go run . "$$@"

.PHONY: crash
crash: ## kill processes of runs at every record and at random moments: files, SQLite, PostgreSQL; CRASHFLAGS="-seed 7 -store files -v"
	@internal/lab/realparts/install.sh postgres
	@go -C internal/lab/integration build -o "$(CURDIR)/bin/crash" ./crash && exec bin/crash $(CRASHFLAGS)

.PHONY: parts
parts: # installs programs of others: with npm, and Chromium and PostgreSQL with apt-get
	@internal/lab/realparts/install.sh

.PHONY: parts-desktop
parts-desktop: # installs a display and programs with windows, LibreOffice among them, with apt-get
	@internal/lab/realparts/install.sh desktop

# About nine minutes of processor time when nothing of it is compiled, so that only make all builds it.
.PHONY: temporal-server
temporal-server: ## build bin/temporal-server, which the tests of adapters/temporal talk to
	@go -C internal/lab/temporalserver mod tidy -diff
	@go -C internal/lab/temporalserver build -ldflags='-s -w' -o "$(CURDIR)/bin/temporal-server" .

.PHONY: test
test: ## test every module in its short form, the core with coverage and the race detector
	@.ci/test

.PHONY: test-all
test-all: parts parts-desktop temporal-server ## test every module whole, with the race detector and against programs of others
	@$(LOCAL); .ci/test whole

# Two at a time: these tests wait for others most of the time.
.PHONY: e2e
e2e: parts parts-desktop ## test against programs of others, which it installs: model servers, MCP servers, a browser, a database, a desktop; SAMPLE=4
	@$(MAKE) --no-print-directory -k -j 2 $(OUTPUT_SYNC) $(SCREENS:%=e2e/%) $(E2E:%=e2e/%) $(ENGINES:%=e2e/%)

.PHONY: e2e-screen
e2e-screen: parts-desktop # of these tests, those in programs with windows
	@$(MAKE) --no-print-directory -k -j 2 $(OUTPUT_SYNC) $(SCREENS:%=e2e/%)

e2e/adapters/temporal e2e/examples/service e2e/internal/lab/integration/crash: temporal-server
.PHONY: $(E2E:%=e2e/%) $(SCREENS:%=e2e/%) $(ENGINES:%=e2e/%)
$(E2E:%=e2e/%) $(SCREENS:%=e2e/%) $(ENGINES:%=e2e/%):
	@$(LOCAL); echo "== $(@:e2e/%=%)"; cd $(@:e2e/%=%) && "$(CURDIR)/.ci/sampled" go test -p 1 -count=1 -timeout 30m -run '$(E2ERUN)' ./...

# Two at a time: while one waits for a large package to be compiled, the other works.
.PHONY: check
check: ## everything that must hold before a push
	@$(MAKE) --no-print-directory -k -j 2 $(OUTPUT_SYNC) $(CHECKS)

.PHONY: all
all: ## every check whole: all faults, crashes, data sets, systems, a minute of fuzzing a target; takes hours
	@.ci/all

.PHONY: check-fmt
check-fmt: ## gofmt has nothing to change
	@list=$$(gofmt -l .) || exit 1; \
	if [ -n "$$list" ]; then echo "not formatted (run gofmt -w):"; echo "$$list"; exit 1; fi

.PHONY: check-docs
check-docs: ## generated parts of the documents are up to date
	@go run ./internal/generate -check

.PHONY: check-tidy
check-tidy: ## go mod tidy has nothing to change
	@.ci/each go mod tidy -diff
	@go -C internal/tools mod tidy -diff

.PHONY: check-vet
check-vet: ## every module type-checks and vets for other systems, too; SYSTEMS="linux windows darwin"
	@for os in $(SYSTEMS); do \
		if [ "$$os" = "$$(go env GOHOSTOS)" ]; then .ci/each go vet ./... || exit 1; \
		else echo "-- $$os"; GOOS=$$os CGO_ENABLED=0 .ci/each go vet ./... || exit 1; fi; \
	done

.PHONY: check-lint
# The last module first: the tests beside it begin with the first one, and nothing is
# compiled by both. With so little memory collected it needs 2 GB and a fifth less time.
check-lint: tools ## golangci-lint, with vet; LINTFLAGS= adds its two slow linters
	@GOGC=400 GOMEMLIMIT=3GiB .ci/each -reverse "$(CURDIR)/bin/golangci-lint" run --config "$(CURDIR)/.golangci.yml" $(LINTFLAGS) ./...

.PHONY: tools
tools: # builds the linter at the version of internal/tools/go.mod
	@go -C internal/tools build -ldflags='-s -w' -o "$(CURDIR)/bin/" tool

.PHONY: bench
bench: ## benchmarks of the core, and of an Append in a database beside a bare INSERT; BENCHTIME=1s
	@go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) ./...
	@go -C adapters/sqlstore test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) .

.PHONY: bench-peers
bench-peers: ## print what a step costs here and in other libraries; BENCHFLAGS="-turns 1 -n 100" is sooner, -write renews docs/comparison.md
	@cd internal/lab/integration && exec go run ./bench $(BENCHFLAGS)

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME=20s
	@.ci/fuzz $(FUZZTIME)

.PHONY: mutants
mutants: ## plant each known fault; the test that it names must catch it
	@go -C internal/lab run ./mutants -min $(FAULTS_MIN)

.PHONY: mutants-sample
mutants-sample: # plants 20 faults, chosen by the hash of the commit
	@go -C internal/lab run ./mutants -min $(FAULTS_MIN) -sample 20

.PHONY: mutants-changed
mutants-changed: # plants faults in packages that differ from BASE, as many as fit into three minutes
	@go -C internal/lab run ./mutants -min $(FAULTS_MIN) -changed $(BASE) -budget 3m

.PHONY: fetch
fetch: ## tag a clone, and get the core and each adapter from it into empty modules
	@internal/lab/release/release.sh check

.PHONY: docs
docs: ## renew the diagrams and the code in the documents
	@go generate .
