module github.com/agentfsm/agentfsm/examples

go 1.26.0

require (
	github.com/agentfsm/agentfsm v0.1.0
	github.com/agentfsm/agentfsm/adapters/linuxdesktop v0.1.0
	github.com/agentfsm/agentfsm/adapters/mcp v0.1.0
	github.com/agentfsm/agentfsm/adapters/openai v0.1.0
	github.com/agentfsm/agentfsm/adapters/playwright v0.1.0
	github.com/agentfsm/agentfsm/adapters/shellpolicy v0.1.0
	github.com/stretchr/testify v1.12.1
	github.com/xuri/excelize/v2 v2.11.1
	golang.org/x/text v0.43.0
)

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/godbus/dbus/v5 v5.2.4 // indirect
	github.com/jezek/xgb v1.1.1 // indirect
	github.com/modelcontextprotocol/go-sdk v1.8.0 // indirect
	github.com/openai/openai-go/v3 v3.94.0 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
)

require (
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/richardlehane/mscfb v1.0.9 // indirect
	github.com/richardlehane/msoleps v1.0.6 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/tiendc/go-deepcopy v1.7.2 // indirect
	github.com/xuri/efp v0.0.3-0.20260924042702-217b81952dec // indirect
	github.com/xuri/nfp v0.0.2-0.20250530014748-2ddeb826f9a9 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

// The core and adapters in the same repository.
replace (
	github.com/agentfsm/agentfsm => ../
	github.com/agentfsm/agentfsm/adapters/linuxdesktop => ../adapters/linuxdesktop
	github.com/agentfsm/agentfsm/adapters/mcp => ../adapters/mcp
	github.com/agentfsm/agentfsm/adapters/playwright => ../adapters/playwright
	github.com/agentfsm/agentfsm/adapters/shellpolicy => ../adapters/shellpolicy
	github.com/agentfsm/agentfsm/adapters/sqlstore => ../adapters/sqlstore
)

replace github.com/agentfsm/agentfsm/adapters/openai => ../adapters/openai
