package hostagent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
)

// Agent is the HostAgent. It is a fsm.Worker; one goroutine uses it, and the
// agents that it made, at a time.
type Agent struct {
	fsm.Position
	cfg      Config
	model    llm.Model // that of cfg, retried
	prompt   *builtin.Template
	pipeline *builtin.Pipeline[*turn]
	tools    builtin.Tools
	apps     map[string]fsm.Worker // by root/process
	asleep   map[string]fsm.Saved  // what agents of applications know that this process has not made, by root/process
	active   fsm.Worker            // who has the open sub-task
	back     bool                  // active came back with it
	data     data
	logs     logs
}

var (
	_ fsm.Worker               = (*Agent)(nil)
	_ fsm.Decider              = (*Agent)(nil)
	_ fsm.DataProvider         = (*Agent)(nil)
	_ fsm.Requester            = (*Agent)(nil)
	_ fsm.ReturnHandler        = (*Agent)(nil)
	_ fsm.SubtaskCloser        = (*Agent)(nil)
	_ fsm.Planner              = (*Agent)(nil)
	_ fsm.WorkerProvider       = (*Agent)(nil)
	_ fsm.Saver                = (*Agent)(nil)
	_ fsm.Closer               = (*Agent)(nil)
	_ blackboard.Holder        = (*Agent)(nil)
	_ blackboard.SubtaskLister = (*Agent)(nil)
	_ proof.Prover             = (*Agent)(nil)

	_ WindowSetter = (*appagent.Agent)(nil)
)

// data is what the host knows, in its stable JSON form.
type data struct {
	Status   fsm.Status   `json:"status"`
	Decision fsm.Decision `json:"decision"`

	// Of the round.
	Request  string      `json:"request"`
	First    int         `json:"first"` // sub-tasks on the blackboard before this round
	Chosen   *assignment `json:"chosen,omitempty"`
	Open     string      `json:"open,omitempty"` // id of the sub-task that is worked on
	Failures int         `json:"failures,omitempty"`
	Plan     plan.Plan   `json:"plan,omitempty"`
	// Items are the items of the plan as which sub-tasks were given, by the ids of those, or "";
	// Inner is what workers did not do of sub-tasks that finished.
	Items map[string]string `json:"items,omitempty"`
	Inner []proof.Undone    `json:"inner,omitempty"`
	// Reached is the id of the window that was brought up with a person's
	// approval: choosing it needs no second one.
	Reached string `json:"reached,omitempty"`
	builtin.Data

	// Of the session.
	Launched []desktop.Window   `json:"launched,omitempty"`
	Workers  map[string]appInfo `json:"workers,omitempty"` // every agent that was made in the session
}

// appInfo is what it takes to make the agent of an application again.
type appInfo struct {
	Name   string         `json:"name"`
	Window desktop.Window `json:"window"` // as it was last
}

// assignment is what ASSIGN hands over, and to whom.
type assignment struct {
	Window  desktop.Window `json:"window"`
	Text    string         `json:"text"`
	Message string         `json:"message,omitempty"`
	Item    string         `json:"item,omitempty"` // its id in the plan, where that binds
	// Context is what the model said of the sub-task: an object, whose references are left as they are.
	Context json.RawMessage `json:"context,omitempty"`
}

// key is what an application's agent is kept under.
func (c *assignment) key() string { return builtin.Key(c.Window) }

// Name returns the agent's name.
func (a *Agent) Name() string { return a.cfg.Name }

// States returns the agent's Manager.
func (a *Agent) States() fsm.Set { return a.cfg.States }

// Board returns the blackboard of the session.
func (a *Agent) Board() *blackboard.Board { return a.cfg.Board }

// Request returns what the user asked for in this round.
func (a *Agent) Request() string { return a.data.Request }

// Subtasks returns the sub-tasks of this round, in order.
func (a *Agent) Subtasks() []blackboard.Subtask {
	all := a.cfg.Board.Subtasks()
	return all[min(a.data.First, len(all)):]
}

// Begin takes a request. What belongs to the round before is forgotten; the
// memory, the blackboard and the agents of applications stay. A request without a
// text is an error, and so is a full blackboard.
func (a *Agent) Begin(_ context.Context, t fsm.Task) error {
	if strings.TrimSpace(t.Text) == "" {
		return errors.New("hostagent: the request has no text")
	}
	a.active, a.back = nil, false
	a.data = data{
		Request: t.Text, First: a.cfg.Board.Inside().Progress(0).Total,
		Data: a.data.Next(), Launched: a.data.Launched,
		Workers: a.data.Workers,
	}
	if err := a.clearBoard(); err != nil {
		return err
	}
	return a.cfg.Board.Append(boarddata.Requests, t.Text)
}

// clearBoard takes what was current in the round before off the blackboard.
// Results and lists stay.
func (a *Agent) clearBoard() error {
	for _, name := range []string{boarddata.CurrentSubtask, boarddata.Plan} {
		if err := a.cfg.Board.Delete(name); err != nil {
			return err
		}
	}
	return taskProgress.Put(a.cfg.Board, boarddata.Progress{})
}

// Answer returns the answer to the user: Result as text, else Comment, of the
// decision that finished the request.
func (a *Agent) Answer() string { return a.data.Answer }

// Data returns the answer as JSON: Result, else Comment as a string; nil while
// there is none.
func (a *Agent) Data() json.RawMessage { return append(json.RawMessage(nil), a.data.Result...) }
