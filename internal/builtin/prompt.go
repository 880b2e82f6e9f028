package builtin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
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

// AddRest adds what ends the prompts of both kinds: what the agent knows, and
// what it may answer.
func (s *Sections) AddRest(d *Data, board *blackboard.Board, maxMemory int, allowed []fsm.Status) error {
	shown, err := board.Render(promptsize.Board)
	if err != nil {
		return err
	}
	memory := d.Memory.Recent(maxMemory)
	s.Add("history", memory, len(memory) > 0)
	s.Add("answers", d.Answers, len(d.Answers) > 0)
	s.Add("blackboard", shown, true)
	s.Add("last_error", clip.Text(legible.Plain(d.LastError), promptsize.Output), d.LastError != "")
	s.Add("allowed_statuses", allowed, true)
	return nil
}

// Messages returns the prompt: the template as the system message, and the
// sections with the screenshot as the user's.
func (s Sections) Messages(system *template.Template, fields any, screenshot *desktop.Image) ([]llm.Message, error) {
	var head strings.Builder
	if err := system.Execute(&head, fields); err != nil {
		return nil, err
	}
	text, err := llm.Prompt(s.shortened()...)
	if err != nil {
		return nil, err
	}
	user := llm.Text(llm.User, text)
	if screenshot != nil {
		user.Parts = append(user.Parts, llm.Part{Image: &llm.Image{MediaType: screenshot.MediaType, Data: screenshot.Data}})
	}
	return []llm.Message{llm.Text(llm.System, head.String()), user}, nil
}

// Closed returns the sub-tasks that are not open as a prompt shows them: the latest
// ones, behind an entry that says how many were left out.
func Closed(board *blackboard.Board, all []blackboard.Subtask) []any {
	var ended []blackboard.Subtask
	for _, s := range all {
		if s.Status != "" {
			ended = append(ended, s)
		}
	}
	shown := []any{}
	if more := len(ended) - promptsize.PreviousSubtasks; more > 0 {
		ended = ended[more:]
		shown = append(shown, map[string]string{"left_out": fmt.Sprintf("%d earlier sub-tasks; the blackboard has how they ended, as subtask_result_1 and so on", more)})
	}
	for _, s := range acting.Brief(board, ended) {
		shown = append(shown, s)
	}
	return shown
}
