module github.com/agentfsm/agentfsm/examples

go 1.26.0

require (
	github.com/agentfsm/agentfsm v0.1.0
	github.com/agentfsm/agentfsm/adapters/shellpolicy v0.1.0
	github.com/google/jsonschema-go v0.4.3
	github.com/stretchr/testify v1.12.1
	github.com/xuri/excelize/v2 v2.10.1
	golang.org/x/text v0.41.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/richardlehane/mscfb v1.0.6 // indirect
	github.com/richardlehane/msoleps v1.0.6 // indirect
	github.com/tiendc/go-deepcopy v1.7.2 // indirect
	github.com/xuri/efp v0.0.1 // indirect
	github.com/xuri/nfp v0.0.2-0.20250530014748-2ddeb826f9a9 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.48.0 // indirect
	golang.org/x/net v0.50.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

// The core and two adapters in the same repository.
replace (
	github.com/agentfsm/agentfsm => ../
	github.com/agentfsm/agentfsm/adapters/shellpolicy => ../adapters/shellpolicy
	github.com/agentfsm/agentfsm/adapters/sqlstore => ../adapters/sqlstore
)
