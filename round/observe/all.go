package observe

import "github.com/agentfsm/agentfsm/round"

// All returns an observer that calls these, in their order; nil ones are left
// out. A panic of one is not caught: it is the round's fault, and those behind
// it do not see that step. So what must be kept comes first. Without any, it is
// nil, and nobody observes.
func All(observers ...func(round.Step)) func(round.Step) {
	list := make([]func(round.Step), 0, len(observers))
	for _, f := range observers {
		if f != nil {
			list = append(list, f)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return func(s round.Step) {
		for _, f := range list {
			f(s)
		}
	}
}
