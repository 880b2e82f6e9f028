package main

import (
	"github.com/agentfsm/agentfsm/examples/embed/program"
	"github.com/agentfsm/agentfsm/examples/internal/person"
)

func main() {
	person.Main(program.Run, program.Rules, "Rules play the model here. MODEL=name make run-embed asks a real one.")
}
