module github.com/agentfsm/agentfsm/adapters/jsonschema

go 1.26.0

require (
	github.com/agentfsm/agentfsm v0.1.0
	github.com/google/jsonschema-go v0.4.3
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/google/uuid v1.6.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

// The core in the same repository.
replace github.com/agentfsm/agentfsm => ../..
