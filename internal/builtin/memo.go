package builtin

import (
	"context"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Memo is what an agent keeps from one step to the next because the next mostly has it, too. It
// goes with the Run.
type Memo struct{ Kept Kept }

// MemoOf returns that of an agent in the Run of ctx.
func MemoOf(ctx context.Context, agent any) *Memo {
	return trace.Kept(ctx, agent, func() any { return &Memo{} }).(*Memo)
}

// shelf has the Toolbox of the last list of each agent of a Run. So a host hands its tools on to its
// AppAgents, and they to each other.
type shelf struct {
	mu    sync.Mutex
	boxes map[*Tools]*desktop.Toolbox
}

type shelfKey struct{}

func shelfOf(ctx context.Context) *shelf {
	return trace.Kept(ctx, shelfKey{}, func() any { return &shelf{boxes: map[*Tools]*desktop.Toolbox{}} }).(*shelf)
}

// known returns the Toolboxes of a Run, that of an agent first.
func (s *shelf) known(of *Tools) (boxes []*desktop.Toolbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of.last != nil {
		boxes = append(boxes, of.last)
	}
	for _, box := range s.boxes {
		boxes = append(boxes, box)
	}
	return boxes
}

func (s *shelf) put(of *Tools, box *desktop.Toolbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxes[of] = box
}
