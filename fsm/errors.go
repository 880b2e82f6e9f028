package fsm

import (
	"errors"
	"fmt"
	"strings"

	cut "github.com/agentfsm/agentfsm/internal/clip"
)

var (
	// ErrSuspend is what a Handle returns, wrapped or bare, when it must wait for an
	// answer that comes from elsewhere. It is no fault: the agent stays where
	// it is, the Round stops, and going on calls the same Handle again.
	ErrSuspend = errors.New("fsm: suspended until an answer arrives")

	// ErrNotAllowed says that a step is not in the table of the agent that made it. The
	// text names the step, and what the table has.
	ErrNotAllowed = errors.New("fsm: transition is not in the table")
	// ErrUnknownStatus says that a kind of agent has no state of that name.
	ErrUnknownStatus = errors.New("fsm: unknown status")
	// ErrAgentType says that a state met an agent of another Go type than the one that
	// it was written for: usually a type that embeds a built-in agent and inherits its
	// Manager. Give such a type a Manager of its own.
	ErrAgentType = errors.New("fsm: an agent of another type")
	// ErrTable is matched by the error of a registration that is refused, and by what
	// Validate finds in a table.
	ErrTable = errors.New("fsm: the table is wrong")
)

// kindError is an error of one of the kinds above, in words of its own.
type kindError struct {
	kind error
	text string
}

func (e *kindError) Error() string { return e.text }
func (e *kindError) Unwrap() error { return e.kind }

func unknownStatus(kind string, status Status, known []Status) error {
	return &kindError{ErrUnknownStatus, fmt.Sprintf("fsm: %s has no state %q, only %s", kind, clip(string(status)), joinStatuses(known))}
}

// transition is a step that is not in the table.
type transition struct {
	Agent    string // who stepped
	From     Status
	NextKind string // the kind entered, "" for the same agent
	To       Status // "" when Handle decided nothing
	By       Cause  // who wanted it
	Allowed  []Edge // what the table has for From
}

func (e *transition) refused() error {
	to := string(e.To)
	if e.To == "" {
		to = "nowhere (nothing was decided)"
	}
	if e.NextKind != "" {
		to = e.NextKind + "." + to
	}
	allowed, named := make([]string, len(e.Allowed)), e.By&ByModel
	for i, edge := range e.Allowed {
		allowed[i] = edge.target()
		if edge.To == e.To && edge.Kind == e.NextKind && e.By&^edge.By != 0 && edge.By != 0 {
			allowed[i] += " by " + edge.By.words()
			named = e.By
		}
	}
	list := strings.Join(allowed, ", ")
	if list == "" {
		list = "nothing"
	}
	if named != 0 {
		to += " by " + named.words()
	}
	return &kindError{ErrNotAllowed, fmt.Sprintf("fsm: %s may not go from %s to %s; its table allows %s", e.Agent, e.From, to, list)}
}

func joinStatuses(list []Status) string {
	if len(list) == 0 {
		return "none"
	}
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// clip keeps a status that a model invented from filling a log.
func clip(s string) string {
	const limit = 64
	return cut.Name(s, limit) // no part of a long one: a secret may be in it
}
