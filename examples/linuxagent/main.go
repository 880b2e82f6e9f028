package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/linuxagent/program"
)

func main() {
	person.Main(program.Run, program.Rules, "Rules play the model here. MODEL=name make run-linuxagent asks a real one.")
}
