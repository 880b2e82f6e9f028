package hostagent

import (
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/plan"
)

// App returns the agent of an application by its key.
func (a *Agent) App(key string) fsm.Worker { return a.apps[key] }

// PlanOf returns the plan of a host.
func PlanOf(a *Agent) plan.Plan { return a.data.Plan.Clone() }
