module github.com/agentfsm/agentfsm/adapters/openai

go 1.26.0

require (
	github.com/agentfsm/agentfsm v0.1.0
	github.com/openai/openai-go/v3 v3.94.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

// The core in the same repository.
replace github.com/agentfsm/agentfsm => ../..
