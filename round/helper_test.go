package round_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

var errBang = errors.New("bang")

// puppet is an agent that decides what a script says, one status for each
// Handle of CONTINUE, and then FINISH.
type puppet struct {
	fsm.Position
	name   string
	set    fsm.Set
	script []fsm.Status
	do     func(ctx context.Context) error // in CONTINUE, before it decides
	pass   []fsm.Agent                     // whom PASS hands over to, one after another
	to     fsm.Status                      // where PASS leads; "": CONTINUE
	heir   fsm.Agent                       // whom its ends name as next agent; nil: itself
	tasks  []fsm.Task
	passed int
	seen   []fsm.Status // where Handle was called
}

func newPuppet(name string, script ...fsm.Status) *puppet {
	return &puppet{name: name, set: puppetStates, script: script}
}

func (p *puppet) Name() string    { return p.name }
func (p *puppet) States() fsm.Set { return p.set }
func (p *puppet) Answer() string  { return "done by " + p.name }

func (p *puppet) Begin(_ context.Context, task fsm.Task) error {
	p.tasks = append(p.tasks, task)
	return nil
}

func (p *puppet) play(ctx context.Context) error {
	p.seen = append(p.seen, p.Status())
	to := fsm.Finish
	if len(p.script) > 0 {
		to, p.script = p.script[0], p.script[1:]
	}
	var err error
	if p.do != nil {
		err = p.do(ctx)
	}
	p.Decide(to, fsm.ByModel, "")
	return err
}

func (p *puppet) see(context.Context) error {
	p.seen = append(p.seen, p.Status())
	return nil
}

func (p *puppet) handOver(context.Context) error {
	p.passed++
	return nil
}

func (p *puppet) passTo() fsm.Status {
	if p.to != "" {
		return p.to
	}
	return fsm.Continue
}

func (p *puppet) passed1() fsm.Agent { return p.pass[(p.passed-1)%len(p.pass)] }

func (p *puppet) next() fsm.Agent {
	if p.heir != nil {
		return p.heir
	}
	return p
}

const pass fsm.Status = "PASS"

var (
	puppetRows = []fsm.Row[*puppet]{
		{Status: fsm.Continue, Handle: (*puppet).play},
		{Status: pass, Handle: (*puppet).handOver, NextState: (*puppet).passTo, NextAgent: (*puppet).passed1},
		{Status: fsm.Finish, Handle: (*puppet).see, NextState: fsm.To[*puppet](fsm.Continue), NextAgent: (*puppet).next, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Fail, Handle: (*puppet).see, NextState: fsm.To[*puppet](fsm.Finish), NextAgent: (*puppet).next, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, Handle: (*puppet).see, NextState: fsm.To[*puppet](fsm.Finish), RoundEnd: true, SubtaskEnd: true},
	}
	puppetEdges = []fsm.Edge{
		{To: fsm.Continue, By: fsm.BySystem},
		{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
		{From: fsm.Continue, To: pass, By: fsm.ByModel},
		{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
		{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
		{From: pass, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
		{From: fsm.Finish, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
		{From: fsm.Fail, To: fsm.Finish, By: fsm.BySystem},
		{From: fsm.Error, To: fsm.Finish, By: fsm.BySystem},
	}
	puppetStates = fsm.Table("Puppet", puppetRows, puppetEdges...)

	// recovering has an ERROR that ends nothing.
	recovering = fsm.Table("Recovers", []fsm.Row[*puppet]{
		{Status: fsm.Continue, Handle: (*puppet).play},
		{Status: fsm.Error, Handle: (*puppet).play, NextState: fsm.To[*puppet](fsm.Continue)},
		{Status: fsm.Finish, RoundEnd: true},
	}, fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
		fsm.Edge{From: fsm.Error, To: fsm.Continue, By: fsm.BySystem})
)

// path drives a round and returns where it went, the start included.
func path(t *testing.T, w fsm.Worker, opts *round.Options) ([]string, round.Result, error) {
	t.Helper()
	r, err := round.New(w, "go", opts)
	require.NoError(t, err)
	var way []string
	var last error
	for step, err := range r.Steps(t.Context()) {
		if last = err; err != nil {
			break
		}
		if way == nil {
			way = append(way, step.Agent+":"+string(step.From))
		}
		way = append(way, step.NextAgent+":"+string(step.To))
	}
	return way, r.Result(), last
}

// echo is a model that uses 10 tokens.
var echo = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
	return &llm.Response{Text: "yes", Model: "echo", Usage: llm.Usage{InputTokens: 8, OutputTokens: 2}}, nil
})

func askEcho(ctx context.Context) error {
	_, err := llm.Complete(ctx, echo, &llm.Request{})
	return err
}

// screen is a desktop of funcs.
type screen func(cmd desktop.Command) (desktop.Result, error)

func (s screen) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (s screen) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	return s(cmd)
}

// start makes a round of an agent that does this, and then finishes.
func start(t *testing.T, do func(ctx context.Context) error, opts *round.Options) *round.Round {
	t.Helper()
	r, err := round.New(doing(do), "go", opts)
	require.NoError(t, err)
	return r
}

// doing is an agent that does this, and then finishes.
func doing(do func(ctx context.Context) error) *puppet {
	p := newPuppet("A")
	p.do = do
	return p
}

// restless does this, if anything, and goes on for ever.
func restless(do func(ctx context.Context) error) *puppet {
	p := newPuppet("A", fsm.Continue)
	p.do = func(ctx context.Context) error {
		p.script = append(p.script, fsm.Continue)
		if do != nil {
			return do(ctx)
		}
		return nil
	}
	return p
}

func newSession(t *testing.T, host fsm.Worker, opts *round.Options) *round.Session {
	t.Helper()
	s, err := round.NewSession(host, opts)
	require.NoError(t, err)
	return s
}

func bound(t *testing.T, err error) *round.BudgetError {
	t.Helper()
	require.ErrorIs(t, err, round.ErrBudget)
	var b *round.BudgetError
	require.ErrorAs(t, err, &b)
	return b
}

// keeper has a secret in what it does, and then does what a test wants.
func keeper(secret string, do func(ctx context.Context) error) *puppet {
	return doing(func(ctx context.Context) error {
		sign := desktop.Command{ToolName: "sign", Parameters: map[string]any{"pin": secret}}
		masked := desktop.Command{ToolName: "sign", Parameters: map[string]any{"pin": "***"}}
		trace.From(ctx).Secrets(masked, sign, []string{secret})
		return do(ctx)
	})
}

func observe(t *testing.T, a *puppet) (steps []round.Step, err error) {
	t.Helper()
	_, _, err = path(t, a, &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
	return steps, err
}
