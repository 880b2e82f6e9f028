module github.com/agentfsm/agentfsm/adapters/linuxdesktop

go 1.26.0

replace github.com/agentfsm/agentfsm => ../..

require (
	github.com/agentfsm/agentfsm v0.1.0
	github.com/godbus/dbus/v5 v5.2.4
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.27.0 // indirect
)
