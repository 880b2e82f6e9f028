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

	// ErrNotAllowed is behind every [TransitionError].
	ErrNotAllowed = errors.New("fsm: transition is not in the table")
	// ErrUnknownStatus is behind every [UnknownStatusError].
	ErrUnknownStatus = errors.New("fsm: unknown status")
	// ErrDuplicate says that a status is registered already.
	ErrDuplicate = errors.New("fsm: status is registered already")
	// ErrEmptyStatus says that a state has no name.
	ErrEmptyStatus = errors.New("fsm: empty status")
	// ErrNilState says that a state or its constructor is nil.
	ErrNilState = errors.New("fsm: nil state")
)

// TransitionError says that a step is not in the table of the agent that made
// it. errors.Is(err, ErrNotAllowed) holds.
type TransitionError struct {
	Agent, Kind string // who stepped
	From        Status
	NextAgent   string // who was to take the next step
	NextKind    string // the kind entered, "" for the same agent
	To          Status // "" when Handle decided nothing
	By          Cause  // who wanted it
	Allowed     []Edge // what the table has for From
}

func (e *TransitionError) Error() string {
	to := string(e.To)
	if e.To == "" {
		to = "nowhere (nothing was decided)"
	}
	if e.NextKind != "" {
		to = e.NextKind + "." + to
	}
	allowed := make([]string, len(e.Allowed))
	for i, edge := range e.Allowed {
		allowed[i] = edge.target()
		if edge.To == e.To && edge.Kind == e.NextKind && edge.By&e.By == 0 && edge.By != 0 {
			allowed[i] += " by " + edge.By.words()
		}
	}
	list := strings.Join(allowed, ", ")
	if list == "" {
		list = "nothing"
	}
	if e.By&ByModel != 0 {
		to += " by " + ByModel.words()
	}
	return fmt.Sprintf("fsm: %s may not go from %s to %s; its table allows %s", e.Agent, e.From, to, list)
}

// Unwrap returns [ErrNotAllowed].
func (e *TransitionError) Unwrap() error { return ErrNotAllowed }

// UnknownStatusError says that a kind of agent has no state of that name.
// errors.Is(err, ErrUnknownStatus) holds.
type UnknownStatusError struct {
	Kind   string
	Status Status
	Known  []Status // what is registered, sorted
}

func (e *UnknownStatusError) Error() string {
	return fmt.Sprintf("fsm: %s has no state %q, only %s", e.Kind, clip(string(e.Status)), joinStatuses(e.Known))
}

// Unwrap returns [ErrUnknownStatus].
func (e *UnknownStatusError) Unwrap() error { return ErrUnknownStatus }

// AgentTypeError says that a state met an agent of another Go type than the
// one that it was written for, mostly because a type embeds a built-in agent
// and inherits its Manager. Give such a type a Manager of its own.
type AgentTypeError struct {
	Kind   string
	Status Status
	Want   string // Go type that the state handles
	Got    string // Go type of the agent
}

func (e *AgentTypeError) Error() string {
	return fmt.Sprintf("fsm: state %s of %s handles a %s and was given a %s", e.Status, e.Kind, e.Want, e.Got)
}

// RegisterError says why a registration was refused. Unwrap gives
// [ErrDuplicate], [ErrEmptyStatus] or [ErrNilState].
type RegisterError struct {
	Kind   string
	Status Status
	Err    error
}

func (e *RegisterError) Error() string {
	return fmt.Sprintf("fsm: register %q in %s: %v", e.Status, e.Kind, e.Err)
}

// Unwrap returns the reason.
func (e *RegisterError) Unwrap() error { return e.Err }

// Finding is one thing that [Manager.Validate] found wrong with a table.
type Finding struct {
	Kind    string
	Status  Status // the state or edge start that it is about, "" for the table
	Problem string
}

func (e *Finding) Error() string {
	if e.Status == "" {
		return fmt.Sprintf("fsm: %s: %s", e.Kind, e.Problem)
	}
	return fmt.Sprintf("fsm: %s: %s: %s", e.Kind, e.Status, e.Problem)
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
