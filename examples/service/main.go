package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/service/program"
)

func main() {
	person.Main(program.Run, program.Rules, "Rules play the model here. MODEL=name make run-service asks a real one.")
}
