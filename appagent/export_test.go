package appagent

import "github.com/agentfsm/agentfsm/acting"

// Memos returns what an agent remembers.
func (a *Agent) Memos() []acting.Memo { return a.data.Memory.Recent(100) }
