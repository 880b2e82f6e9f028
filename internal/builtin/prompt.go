package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"text/template"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
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
			v.Unseen = append(v.Unseen, fmt.Sprintf("%d more tools that cannot be used", len(v.Box.Unusable())-i))
			break
		}
		v.Unseen = append(v.Unseen, "no "+clip.Text(strings.TrimPrefix(problem.Error(), "desktop: "), 2*promptsize.Name))
	}
	return nil
}

// Look observes with a tool. What cannot be seen is noted, so that the prompt
// can say so; only the end of ctx is an error.
func (v *View) Look(ctx context.Context, what, tool string, look func() error) error {
	if _, ok := v.Box.Tool(tool); !ok {
		v.Unseen = append(v.Unseen, fmt.Sprintf("no %s: the desktop has no tool %s", what, tool))
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
	list := make([]string, len(v.Unseen))
	for i, text := range v.Unseen {
		list[i] = legible.Plain(text)
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

// The sections that are parts of a prompt by themselves.
const (
	toolSection    = "tools"
	groupSection   = "tool_groups"
	historySection = "history"
)

// AddTools adds the tools that the agent may call.
func (s *Sections) AddTools(box *desktop.Toolbox) {
	offered := OfferedTools(box.Tools())
	s.Add(toolSection, offered, len(offered) > 0)
}

// AddGroups adds what the tools of each origin are for.
func (s *Sections) AddGroups(box *desktop.Toolbox) {
	groups := Groups(box.Tools())
	s.Add(groupSection, groups, len(groups) > 0)
}

// AddHistory adds the steps that the agent remembers.
func (s *Sections) AddHistory(d *Data, most int) {
	memory := d.Memory.Recent(most)
	s.Add(historySection, memory, len(memory) > 0)
}

// AddRest adds what ends the prompts of both kinds: what else the agent knows, and
// what it may answer. Of the board it shows what no other section has: shown are the
// sub-tasks that have one.
func (s *Sections) AddRest(d *Data, board *blackboard.Board, shown []blackboard.Subtask, allowed []fsm.Status) error {
	// The host's bookkeeping, and the steps of all agents: what matters of them is in the
	// sections of who did them.
	leaveOut := []string{boarddata.CurrentSubtask, boarddata.TaskProgress, boarddata.HostLastStep, boarddata.Plan, boarddata.Trajectories}
	if asked, _, err := requests.Get(board); err == nil && len(asked) == 1 {
		leaveOut = append(leaveOut, boarddata.Requests) // it is the section request
	}
	for _, closed := range shown {
		if name, ok := board.Inside().ResultName(closed.ID); ok {
			leaveOut = append(leaveOut, name)
		}
	}
	rest, err := board.Inside().Excerpt(promptsize.Board, leaveOut)
	if err != nil {
		return err
	}
	s.Add("answers", d.Answers, len(d.Answers) > 0)
	s.Add("blackboard", rest, string(rest) != "{}")
	s.Add("last_error", clip.Text(legible.Plain(d.LastError), promptsize.Output), d.LastError != "")
	s.Add("allowed_statuses", allowed, true)
	return nil
}

var requests = blackboard.NewKey[[]json.RawMessage](boarddata.Requests)

// Messages returns the prompt, what never changes first: the template and the tools as the
// system message, and the other sections with the screenshot as the user's. What comes
// before the history, the history, and what changes in each step are parts of their own.
func (s Sections) Messages(system *template.Template, fields any, screenshot *desktop.Image) ([]llm.Message, error) {
	var head strings.Builder
	if err := system.Execute(&head, fields); err != nil {
		return nil, err
	}
	first, user := llm.Text(llm.System, head.String()), llm.Message{Role: llm.User}
	for part := range s.shortened().parts() {
		text, err := llm.Prompt(part...)
		if err != nil {
			return nil, err
		}
		if part[0].Name == toolSection || part[0].Name == groupSection {
			first.Parts = append(first.Parts, llm.Part{Text: "\n" + text})
			continue
		}
		user.Parts = append(user.Parts, llm.Part{Text: text})
	}
	if screenshot != nil {
		user.Parts = append(user.Parts, llm.Part{Image: &llm.Image{MediaType: screenshot.MediaType, Data: screenshot.Data}})
	}
	return []llm.Message{first, user}, nil
}

// parts are the sections by how often they change: the tools, the task, the history, the
// rest. None is empty.
func (s Sections) parts() iter.Seq[Sections] {
	alone := func(section llm.Section) bool {
		return slices.Contains([]string{toolSection, groupSection, historySection}, section.Name)
	}
	return func(yield func(Sections) bool) {
		for len(s) > 0 {
			n := slices.IndexFunc(s, alone)
			switch {
			case n < 0:
				n = len(s)
			case n == 0:
				n = 1
			}
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

// AddClosed adds the sub-tasks that are not open: the latest ones, behind an entry that says
// how many were left out. It returns those that it shows.
func (s *Sections) AddClosed(board *blackboard.Board, all []blackboard.Subtask) []blackboard.Subtask {
	var ended []blackboard.Subtask
	for _, s := range all {
		if s.Status != "" {
			ended = append(ended, s)
		}
	}
	var list []any
	if more := len(ended) - promptsize.PreviousSubtasks; more > 0 {
		ended = ended[more:]
		list = append(list, map[string]string{"left_out": fmt.Sprintf("%d earlier sub-tasks; the blackboard has how they ended, as subtask_result_1 and so on", more)})
	}
	for _, closed := range acting.Brief(board, ended) {
		list = append(list, closed)
	}
	s.Add("previous_subtasks", list, len(list) > 0)
	return ended
}
