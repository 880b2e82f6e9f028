package rules

import (
	"github.com/agentfsm/agentfsm/examples/internal/sections"
)

type prompt = sections.Prompt
