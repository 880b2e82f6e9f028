package plan

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	cut "github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

var (
	// ErrNoID says that an item of a graph has no id: it is a text among objects,
	// or an object without one.
	ErrNoID = errors.New("plan: it has no id")
	// ErrNoTask says that an item does not say what is to be done.
	ErrNoTask = errors.New("plan: it has no task")
	// ErrInvisible says that an id has a character that nobody sees.
	ErrInvisible = errors.New("plan: it has a character in its id that nobody sees")
	// ErrDuplicate says that two items have one id, or ids that are read as one.
	ErrDuplicate = errors.New("plan: it is the id of two items")
	// ErrUnknown says that an item depends on one that is not in the plan.
	ErrUnknown = errors.New("plan: it depends on an item that is not in the plan")
	// ErrCycle says that an item depends on itself, directly or through others.
	ErrCycle = errors.New("plan: it depends on itself")
	// ErrSettled says that a new draft gives another task to an item that has
	// finished or is being worked on.
	ErrSettled = errors.New("plan: it stands for another task already: write another id")
)

// Finding is one thing that is wrong with a plan. Unwrap gives one of this
// package's errors.
type Finding struct { //nolint:errname // a finding is an error so that findings can be joined
	ID   string   // of the item; "" where it has none
	Task string   // of an item without an id
	Path []string // what it depends on: the unknown id, or the way around a cycle
	Err  error
}

func (f *Finding) Error() string {
	name := clip(f.ID)
	if name == "" {
		name = phrase(f.Task)
	}
	text := quote(name) + " " + strings.TrimPrefix(f.Err.Error(), "plan: it ")
	if len(f.Path) > 0 {
		text += ": " + around(f.Path)
	}
	return text
}

// Unwrap returns what is wrong.
func (f *Finding) Unwrap() error { return f.Err }

// around writes a path. Of a long one the middle is left out.
func around(path []string) string {
	const most = promptsize.Path
	words := make([]string, 0, most+1)
	for i, id := range path {
		switch {
		case len(path) <= most || i < most-1 || i == len(path)-1:
			words = append(words, visible(clip(id)))
		case i == most-1:
			words = append(words, "…")
		}
	}
	return strings.Join(words, " → ")
}

// Error is what is wrong with a plan: every finding, sorted by id. errors.Is
// finds the reason of each.
type Error struct{ Findings []*Finding }

func (e *Error) Error() string {
	texts := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		texts[i] = f.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the findings.
func (e *Error) Unwrap() []error {
	list := make([]error, len(e.Findings))
	for i, f := range e.Findings {
		list[i] = f
	}
	return list
}

// joined returns nil when there is nothing.
func joined(findings []*Finding) error {
	if len(findings) == 0 {
		return nil
	}
	slices.SortStableFunc(findings, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Err.Error(), b.Err.Error()),
			slices.Compare(a.Path, b.Path))
	})
	return &Error{Findings: slices.CompactFunc(findings, func(a, b *Finding) bool {
		return a.ID == b.ID && a.Task == b.Task && errors.Is(a.Err, b.Err) && slices.Equal(a.Path, b.Path)
	})}
}

// clip keeps a name that a model wrote from filling a prompt. Of one that is too
// long nothing is left: in half a name nobody would find a secret.
func clip(s string) string { return cut.Name(s, promptsize.PlanName) }

// phrase is clip for what is to be done, which is longer than names are.
func phrase(s string) string { return cut.Name(s, promptsize.Phrase) }
