package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
)

// View is what an agent observes in a step, as both kinds have it.
type View struct {
	Box        *desktop.Toolbox
	Screenshot *desktop.Image
	Unseen     []string // what could not be observed, and why
	Gone       error    // a look found the window closed
}

// Open lists the tools. What of them cannot be used is noted.
func (v *View) Open(ctx context.Context, d desktop.Desktop, tools *Tools) (err error) {
	if v.Box, err = tools.open(ctx, d); err != nil {
		return err
	}
	for i, problem := range v.Box.Unusable() {
		if i == promptsize.UnusableTools {
			v.Unseen = append(v.Unseen, fmt.Sprintf("%d more tools cannot be used", len(v.Box.Unusable())-i))
			break
		}
		v.Unseen = append(v.Unseen, clip.Text(strings.TrimPrefix(problem.Error(), "desktop: "), 2*promptsize.Name))
	}
	return nil
}

// Look observes with a tool, if the desktop has it. What cannot be seen is noted, so that the
// prompt can say so; only the end of ctx is an error.
func (v *View) Look(ctx context.Context, what, tool string, look func() error) error {
	if _, ok := v.Box.Tool(tool); !ok {
		return nil
	}
	err := look()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		if errors.Is(err, desktop.ErrWindowGone) {
			v.Gone = err
		}
		v.Unseen = append(v.Unseen, fmt.Sprintf("no %s: %v", what, err))
	}
	return nil
}

// NotObserved is Unseen as the model reads it.
func (v *View) NotObserved() []string {
	list := v.Unseen
	for i, text := range v.Unseen {
		plain := legible.Plain(text)
		if plain != text && same(list, v.Unseen) {
			list = slices.Clone(list)
		}
		list[i] = plain
	}
	return list
}

// Sections are the sections of a prompt in their order.
type Sections []llm.Section

// Add adds a section when there is something to say in it.
func (s *Sections) Add(name string, value any, there bool) {
	if there {
		*s = append(*s, llm.Section{Name: name, Value: value})
	}
}

// bookkeeping is what the host notes, and the steps of all agents: what matters of them is in the
// sections of who did them.
var bookkeeping = []string{boarddata.CurrentSubtask, boarddata.TaskProgress, boarddata.HostLastStep, boarddata.Plan, boarddata.Trajectories}

// AddRest adds what ends the prompts of both kinds: what else the agent knows, and
// what it may answer, if allowed is not nil. Of the board it shows what no other section has: shown
// are the sub-tasks that have one.
func (s *Sections) AddRest(d *Data, board *blackboard.Board, shown []boarddata.Closed, allowed []fsm.Status) error {
	leaveOut := slices.Clip(bookkeeping)
	if board.Inside().Items(boarddata.Requests) == 1 {
		leaveOut = append(leaveOut, boarddata.Requests) // it is the section request
	}
	if n := len(d.Answers); n > 0 && board.Inside().Items(boarddata.Answers) == n {
		leaveOut = append(leaveOut, boarddata.Answers) // nobody else was answered
	}
	for _, closed := range shown {
		leaveOut = append(leaveOut, closed.Name)
	}
	rest, err := board.Inside().Excerpt(promptsize.Board, leaveOut)
	if err != nil {
		return err
	}
	if len(d.Answers) > 0 {
		s.Add("answers", d.Answers, true)
	}
	if string(rest) != "{}" {
		s.Add("blackboard", plainjson.Text(rest), true)
	}
	if d.LastError != "" {
		s.Add("last_error", clip.Text(legible.Plain(d.LastError), promptsize.Output), true)
	}
	s.Add("allowed_statuses", allowed, allowed != nil)
	return nil
}

// AddClosed adds the sub-tasks after the first n that have ended: the latest ones, behind an entry
// that says how many were left out. It returns those that it shows.
func (s *Sections) AddClosed(board *blackboard.Board, n int) ([]boarddata.Closed, error) {
	latest, all := board.Inside().Closed(n, promptsize.PreviousSubtasks)
	return latest, s.addClosed(board, latest, all)
}

// AddClosedOf is AddClosed of the sub-tasks with these ids.
func (s *Sections) AddClosedOf(board *blackboard.Board, ids []string) ([]boarddata.Closed, error) {
	latest, all := board.Inside().ClosedOf(ids, promptsize.PreviousSubtasks)
	return latest, s.addClosed(board, latest, all)
}

func (s *Sections) addClosed(board *blackboard.Board, latest []boarddata.Closed, all int) error {
	if all == 0 {
		return nil
	}
	size := noteSize
	for i := range latest {
		size += len(latest[i].Record) + 1
	}
	list := append(make([]byte, 0, size), '[')
	if more := all - len(latest); more > 0 {
		list = fmt.Appendf(list, `{"left_out":"%d earlier sub-tasks; the blackboard has how they ended, as subtask_result_1 and so on"},`, more)
	}
	for i := range latest {
		closed := &latest[i]
		record := closed.Record
		if record == nil || len(record) > acting.MaxOutput || len(closed.DependsOn) > 0 { // else the blackboard has it as it is shown
			brief := acting.Brief(board, []blackboard.Subtask{{
				ID: closed.ID, App: closed.App, Text: closed.Text, DependsOn: closed.DependsOn,
				Status: closed.Status, Result: closed.Result, Reason: closed.Reason,
			}})
			var err error
			if record, err = encode(brief[0]); err != nil {
				return err
			}
		}
		list = append(append(list, record...), ',')
	}
	list[len(list)-1] = ']'
	s.Add("previous_subtasks", plainjson.Text(list), true)
	return nil
}
