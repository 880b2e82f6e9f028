package builtin

import (
	"fmt"

	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// CheckPlan says that a plan of n items is too long.
func CheckPlan(n int) error {
	if n > promptsize.PlanItems {
		return fmt.Errorf("the Plan has %d items and can have %d: write fewer, larger ones, or plan the rest later", n, promptsize.PlanItems)
	}
	return nil
}

// CheckQuestions says what is wrong with the questions of a reply: a person would have
// to answer them one after another, and they are in every later prompt.
func CheckQuestions(questions []string) error {
	if n := len(questions); n > promptsize.Questions {
		return fmt.Errorf("there are %d Questions; ask at most %d in a reply", n, promptsize.Questions)
	}
	for i, q := range questions {
		if len(q) > promptsize.Question {
			return fmt.Errorf("question %d has %d bytes; it can have %d", i+1, len(q), promptsize.Question)
		}
	}
	return nil
}
