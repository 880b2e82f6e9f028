package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// job is the part of a worker: the run that it begins or goes on with.
type job struct {
	Run      string `json:"run"`
	Model    string `json:"model"`    // address
	Desktop  string `json:"desktop"`  // address
	Journals string `json:"journals"` // folder
	Answers  string `json:"answers"`  // file, see person
	Order    order  `json:"order"`
	Forget   bool   `json:"forget"` // its store loses intents
}

// outcome is what a worker says when it comes to an end of its own.
type outcome struct {
	Outcome     round.Outcome   `json:"outcome"`
	Answer      string          `json:"answer"`
	Subtasks    json.RawMessage `json:"subtasks"`
	Reason      string          `json:"reason,omitempty"`
	Transitions int             `json:"transitions"`
	Appends     int64           `json:"appends"`         // of this process
	Waits       []string        `json:"waits,omitempty"` // ids of questions that nobody has answered yet
}

const request = "make the report"

// workerMain is the process of a worker.
func workerMain(ctx context.Context, part []byte, out io.Writer) error {
	var j job
	if err := json.Unmarshal(part, &j); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	files, err := store.Files(j.Journals, nil)
	if err != nil {
		return err
	}
	person := &person{path: j.Answers}
	st := &mortal{Store: files, order: j.Order}
	if j.Forget {
		st.Store = forgetful{files}
	}
	w := &worker{model: j.Model, desktop: j.Desktop, store: st, person: person}
	res, err := w.work(ctx, j.Run)
	if err != nil {
		return err
	}
	res.Appends, res.Waits = st.count.Load(), person.waits
	return json.NewEncoder(out).Encode(res)
}

// worker is what a process has to work on a run.
type worker struct {
	model, desktop string // addresses
	store          store.Store
	person         people.User
	sees           bool // screenshots
}

// work begins a run or goes on with it.
func (w *worker) work(ctx context.Context, run string) (outcome, error) {
	host, err := w.host(newRemoteDesktop(w.desktop, run, 0))
	if err != nil {
		return outcome{}, err
	}
	s, err := durable.Open(ctx, host, w.store, run, &durable.Options{Round: options()})
	if err != nil {
		return outcome{}, err
	}
	return outcomeOf(s.Continue(ctx, request))
}

// host makes the host of a run, which is all that a process has of it.
func (w *worker) host(d *remoteDesktop) (*hostagent.Agent, error) {
	return hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: remoteModel(w.model, d.run), Desktop: d, User: w.person, Board: blackboard.New(0), NoImages: !w.sees,
		},
	})
}

// options are those under which nothing stops a run.
func options() *round.Options {
	return &round.Options{MaxSteps: -1, MaxTransitions: 400, MaxRepeats: -1}
}

// outcomeOf says how a run ended or stopped. What is neither an end nor a question is
// an error.
func outcomeOf(res round.Result, err error) (outcome, error) {
	switch res.Outcome {
	case round.Finished, round.Failed, round.Suspended:
	default:
		return outcome{}, fmt.Errorf("crash: the run ended as %q: %w", res.Outcome, err)
	}
	tasks, err := json.Marshal(res.Subtasks)
	if err != nil {
		return outcome{}, fmt.Errorf("crash: %w", err)
	}
	return outcome{Outcome: res.Outcome, Answer: res.Answer, Subtasks: tasks, Reason: res.Reason, Transitions: res.Transitions}, nil
}

// slowQuestion is the one whose answer comes when no process is there any more.
const slowQuestion = "Which colour?"

// person answers everything at once but the slow question. The answer to that is in
// a file, by its id, when somebody gave it.
type person struct {
	path  string
	waits []string
}

func (p *person) Ask(_ context.Context, q people.Question) (people.Answer, error) {
	if q.Text != slowQuestion {
		return people.Answer{Text: "large", Approved: true}, nil
	}
	given, err := readAnswers(p.path)
	if err != nil {
		return people.Answer{}, err
	}
	if text, there := given[q.ID]; there {
		return people.Answer{Text: text}, nil
	}
	p.waits = append(p.waits, q.ID)
	return people.Answer{}, fmt.Errorf("crash: nobody is there: %w", fsm.ErrSuspend)
}

func readAnswers(path string) (map[string]string, error) {
	given := map[string]string{}
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return given, nil
	}
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	return given, nil
}

// giveAnswers answers the questions with those ids.
func giveAnswers(path string, ids []string) error {
	given, err := readAnswers(path)
	if err != nil {
		return err
	}
	for _, id := range ids {
		given[id] = "large"
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	return nil
}
