// Package foreign has a kind of agent of its own: a LinuxAgent works in a shell.
package foreign

import (
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// Agent is a LinuxAgent. Its exported fields are set before it is used.
type Agent struct {
	fsm.Position
	ID    string       // its name
	Model llm.Model    // proposes command lines
	Shell acting.Actor // runs them, when its policy or the User says so
	User  people.User  // nil: nobody is there to approve

	task string
	work acting.Work
}

type decision struct {
	Bash    string     `json:"Bash,omitempty" desc:"the command line to run next"`
	Status  fsm.Status `json:"Status" desc:"FINISH: it is done; FAIL: it cannot be done"`
	Comment string     `json:"Comment,omitempty" desc:"the answer, or why it cannot be done"`
}

var states = fsm.Table("LinuxAgent", []fsm.Row[*Agent]{
	{Status: fsm.Continue, Handle: (*Agent).step},
	{Status: fsm.Confirm, Handle: (*Agent).confirm},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Fail, RoundEnd: true},
	{Status: fsm.Error, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel | fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
	fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser},
	fsm.Edge{From: fsm.Confirm, To: fsm.Fail, By: fsm.ByUser | fsm.ByTimeout | fsm.BySystem},
)

func (a *Agent) Name() string    { return a.ID }
func (a *Agent) States() fsm.Set { return states }
func (a *Agent) Answer() string  { return a.Decision().Reason }

func (a *Agent) Begin(_ context.Context, task fsm.Task) error {
	a.task, a.work = task.Text, a.work.Next()
	return nil
}

func (a *Agent) step(ctx context.Context) error {
	if _, err := a.work.PerformApproved(ctx, &a.Shell, ""); err != nil {
		return err
	}
	d, err := deciding.Ask(ctx, deciding.Inquiry[decision]{
		Model: a.Model, Allowed: deciding.Allowed(a),
		Sections: []llm.Section{{Name: "task", Value: a.task}, {Name: "history", Value: a.work.Memory.Recent(20)}},
	})
	if err != nil {
		return err
	}
	var acts []acting.Act
	if d.Bash != "" {
		acts = append(acts, acting.Act{Command: desktop.Shell(d.Bash)})
	}
	done, next, err := a.work.Perform(ctx, &a.Shell, acts, acting.Wish{To: d.Status, Reason: d.Comment})
	return a.Settle(next, errors.Join(err, a.work.Memory.Record(nil, acting.Memo{}, done.Acted)))
}

func (a *Agent) confirm(ctx context.Context) error {
	return a.Settle(a.work.Confirm(ctx, &acting.Actor{Agent: a.ID, User: a.User}, a.Decision().Reason))
}
