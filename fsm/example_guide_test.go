package fsm_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Review is a status of the kind's own.
const Review fsm.Status = "REVIEW"

// Writer is a kind of agent. A model writes a headline, code checks its length.
type Writer struct {
	fsm.Position                     // where it stands, and what its last Handle decided
	model                  llm.Model // everything that a run knows is in the agent
	task, headline, remark string
}

// Draft is what the model answers.
type Draft struct {
	Headline string     `json:"Headline,omitempty" desc:"at most 20 letters"`
	Status   fsm.Status `json:"Status"`
}

var writers = fsm.Table("Writer",
	[]fsm.Row[*Writer]{
		{Status: fsm.Continue, Handle: (*Writer).write},
		{Status: Review, Handle: (*Writer).review},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, // no From: the start
	fsm.Edge{From: fsm.Continue, To: Review, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
	fsm.Edge{From: Review, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: Review, To: fsm.Finish, By: fsm.BySystem},
)

func (w *Writer) Name() string    { return "writer" }
func (w *Writer) States() fsm.Set { return writers }
func (w *Writer) Answer() string  { return w.headline }

// Begin takes a task and forgets what belonged to the one before.
func (w *Writer) Begin(_ context.Context, task fsm.Task) error {
	w.task, w.headline, w.remark = task.Text, "", ""
	return nil
}

func (w *Writer) write(ctx context.Context) error {
	draft, err := deciding.Ask(ctx, deciding.Inquiry[Draft]{
		Model:    w.model,
		Sections: []llm.Section{{Name: "task", Value: w.task}, {Name: "remark", Value: w.remark}},
		Allowed:  deciding.Allowed(w), // REVIEW and FAIL, by the table
	})
	if err != nil {
		return err // a fault: the agent goes to ERROR
	}
	w.headline = draft.Headline
	w.Decide(draft.Status, fsm.ByModel, "a draft")
	return nil
}

func (w *Writer) review(context.Context) error {
	if n := len(w.headline); n > 20 {
		w.remark = fmt.Sprintf("%d letters are too many", n)
		w.Decide(fsm.Continue, fsm.BySystem, w.remark)
		return nil
	}
	w.Decide(fsm.Finish, fsm.BySystem, "it fits")
	return nil
}

// A kind with a state of its own, from its table to its answer.
func Example_stateSet() {
	model := llmtest.Script(nil,
		`{"Headline": "Nothing whatsoever happened today", "Status": "REVIEW"}`,
		`{"Headline": "A quiet day", "Status": "REVIEW"}`,
	)
	r, err := round.New(&Writer{model: model}, "a headline for today", &round.Options{
		Observe: func(s round.Step) { fmt.Println(s, s.Reason) },
	})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	// Output:
	// writer:CONTINUE -> writer:REVIEW (model) a draft
	// writer:REVIEW -> writer:CONTINUE (system) 33 letters are too many
	// writer:CONTINUE -> writer:REVIEW (model) a draft
	// writer:REVIEW -> writer:FINISH (system) it fits
	// A quiet day <nil>
}

func TestWriters(t *testing.T) {
	fsmtest.Run(t, writers, func() fsm.Agent { return &Writer{} })
}

// Sweeper is a kind that acts, and asks a person before it does.
type Sweeper struct {
	fsm.Position
	actor  acting.Actor // executes what the policy allows, and asks a person
	work   acting.Work  // the question to a person, and the answer
	folder string
}

var sweepers = fsm.Table("Sweeper",
	[]fsm.Row[*Sweeper]{
		{Status: fsm.Continue, Handle: (*Sweeper).sweep},
		{Status: fsm.Confirm, Handle: (*Sweeper).confirm},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem}, // after an act that failed
	fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.BySystem},  // the policy wants approval
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser},
	fsm.Edge{From: fsm.Confirm, To: fsm.Fail, By: fsm.ByUser | fsm.BySystem | fsm.ByTimeout},
)

func (s *Sweeper) Name() string    { return s.actor.Agent } // unique in the session
func (s *Sweeper) States() fsm.Set { return sweepers }
func (s *Sweeper) Answer() string  { return s.folder + " is empty" }

// Begin clears the work, too: an old approval is not for the new task.
func (s *Sweeper) Begin(_ context.Context, task fsm.Task) error {
	s.folder, s.work = task.Text, acting.Work{}
	return nil
}

// sweep executes the command that a person approved. Without an approval it asks the policy.
func (s *Sweeper) sweep(ctx context.Context) error {
	if s.work.Approval != nil {
		done, err := s.work.PerformApproved(ctx, &s.actor, "")
		next := fsm.Decision{To: fsm.Finish, By: fsm.BySystem}
		if problem := done.Problem(); problem != "" {
			next = fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: problem}
		}
		return s.Settle(next, err)
	}
	empty := desktop.Command{ToolName: "empty", Parameters: map[string]any{"folder": s.folder}}
	acts := []acting.Act{{Command: empty, Target: s.folder}}
	_, next, err := s.work.Perform(ctx, &s.actor, acts, acting.Wish{To: fsm.Finish, By: fsm.BySystem})
	return s.Settle(next, err)
}

// confirm asks, and executes nothing.
func (s *Sweeper) confirm(ctx context.Context) error {
	return s.Settle(s.work.Confirm(ctx, &s.actor, s.Decision().Reason))
}

// swept is what a Sweeper knows, but for its memory.
type swept struct {
	Folder string
	Work   acting.Work
}

// Save returns what the Sweeper knows. The memory grows with every step: it is a log.
func (s *Sweeper) Save() (fsm.Saved, error) {
	memory, err := s.work.Memory.Save()
	if err != nil {
		return fsm.Saved{}, err
	}
	rest := swept{s.folder, s.work}
	rest.Work.Memory = acting.Memory{}
	saved, err := fsm.SaveState(rest)
	saved.Logs = map[string]fsm.Log{"memory": memory}
	return saved, err
}

// Load makes a new Sweeper know it.
func (s *Sweeper) Load(saved fsm.Saved) error {
	var had swept
	if err := saved.LoadState(&had); err != nil {
		return err
	}
	if err := had.Work.Memory.Load(saved.Logs["memory"]); err != nil {
		return err
	}
	s.folder, s.work = had.Folder, had.Work
	return nil
}

func TestSweepers(t *testing.T) {
	fsmtest.Run(t, sweepers, func() fsm.Agent {
		s := &Sweeper{actor: acting.Actor{Agent: "sweeper"}, folder: "in"} // with data: what it knows is saved, and loaded
		s.work.Memory.Add(acting.Memo{Note: "out is empty"})
		return s
	})
}

// manager is a desktop with one tool.
func manager(folders map[string]int) desktop.Desktop {
	desk, err := desktop.New(desktop.Func("empty", "Empty a folder.",
		func(_ context.Context, p struct {
			Folder string `json:"folder"`
		}) (string, error) {
			folders[p.Folder] = 0
			return "done", nil
		},
		&desktop.Annotations{DestructiveHint: true}))
	if err != nil {
		panic(err)
	}
	return desk
}

// CONFIRM in a kind of one's own: the act waits for a person.
func Example_confirm() {
	folders := map[string]int{"downloads": 7}
	desk := manager(folders)
	sweeper := &Sweeper{actor: acting.Actor{
		Agent: "sweeper", Desktop: desk, // nil Policy: what is destructive needs a yes
		User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			fmt.Println(q.Text, "There are", folders["downloads"], "files.")
			return people.Answer{Approved: true}, nil
		}),
	}}
	r, err := round.New(sweeper, "downloads", &round.Options{Observe: func(s round.Step) { fmt.Println(s) }})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err, folders["downloads"])
	// Output:
	// sweeper:CONTINUE -> sweeper:CONFIRM (system)
	// Allow empty {"folder":"downloads"} on "downloads"? It needs approval because the tool is marked as destructive. There are 7 files.
	// sweeper:CONFIRM -> sweeper:CONTINUE (user)
	// sweeper:CONTINUE -> sweeper:FINISH (system)
	// downloads is empty <nil> 0
}
