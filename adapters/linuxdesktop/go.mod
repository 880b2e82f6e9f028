module github.com/agentfsm/agentfsm/adapters/linuxdesktop

go 1.26.0

require (
	github.com/agentfsm/agentfsm v0.1.0
	github.com/godbus/dbus/v5 v5.2.4
	github.com/jezek/xgb v1.1.1
	github.com/stretchr/testify v1.12.1
	golang.org/x/sync v0.24.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.45.0 // indirect
)

replace github.com/agentfsm/agentfsm => ../..
