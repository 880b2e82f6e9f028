package round_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Porter carries boxes, one for each word of its task. It is a whole kind of
// agent: three states, one of which asks a model.
type Porter struct {
	fsm.Position
	model   llm.Model
	boxes   []string
	carried int
}

func (p *Porter) Name() string    { return "Porter" }
func (p *Porter) States() fsm.Set { return porterStates }
func (p *Porter) Answer() string  { return fmt.Sprintf("%d boxes are upstairs", p.carried) }

func (p *Porter) Begin(_ context.Context, task fsm.Task) error {
	p.boxes, p.carried = strings.Fields(task.Text), 0
	return nil
}

func (p *Porter) carry(ctx context.Context) error {
	resp, err := llm.Complete(ctx, p.model, &llm.Request{})
	if err != nil {
		return err
	}
	p.carried++
	p.Decide(fsm.ParseStatus(resp.Text), fsm.ByModel, "carried "+p.boxes[p.carried-1])
	return nil
}

var porterStates = fsm.Table("Porter",
	[]fsm.Row[*Porter]{
		{Status: fsm.Continue, Handle: (*Porter).carry},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

// porter returns a Porter whose model writes these statuses, one for each call,
// and the last of them for ever.
func porter(statuses ...string) *Porter {
	next := 0
	return &Porter{model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		text := statuses[min(next, len(statuses)-1)]
		next++
		return &llm.Response{Text: text, Usage: llm.Usage{InputTokens: 20, OutputTokens: 2}}, nil
	})}
}

func Example() {
	r, err := round.New(porter("continue", "FINISH"), "books plates", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Outcome, err)
	fmt.Println(res.Answer)
	fmt.Println(res.Steps, "steps,", res.Usage.Total(), "tokens")
	// Output:
	// FINISH <nil>
	// 2 boxes are upstairs
	// 2 steps, 44 tokens
}

// The loop as an iterator. Leaving it stops the round where it is; Run goes on.
func ExampleRound_Steps() {
	r, err := round.New(porter("CONTINUE", "CONTINUE", "FINISH"), "books plates glasses", nil)
	if err != nil {
		panic(err)
	}
	for step, err := range r.Steps(context.Background()) {
		if err != nil {
			fmt.Println("stopped:", err)
			return
		}
		fmt.Printf("%d %v: %s\n", step.Seq, step, step.Reason)
		if step.Seq == 2 {
			break
		}
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	// Output:
	// 1 Porter:CONTINUE -> Porter:CONTINUE (model): carried books
	// 2 Porter:CONTINUE -> Porter:CONTINUE (model): carried plates
	// 3 boxes are upstairs <nil>
}

// A session gives one agent one request after another, here with a bound on
// what all of them may cost.
func ExampleSession() {
	session, err := round.NewSession(porter("FINISH"), &round.Options{
		Price:          func(_ string, used llm.Usage) float64 { return float64(used.Total()) * 0.01 },
		MaxSessionCost: 0.5,
	})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	for _, request := range []string{"books", "plates", "glasses", "lamps"} {
		res, err := session.Run(ctx, request)
		fmt.Printf("%s: %q, %.2f\n", res.Outcome, res.Answer, res.Cost)
		if errors.Is(err, round.ErrBudget) {
			break
		}
	}
	fmt.Println(session.Close(ctx))
	// Output:
	// FINISH: "1 boxes are upstairs", 0.22
	// FINISH: "1 boxes are upstairs", 0.22
	// FINISH: "1 boxes are upstairs", 0.22
	// BUDGET: "", 0.00
	// <nil>
}

// A record of a round: one line for each step.
func ExampleJSONL() {
	write := round.JSONL(os.Stdout)
	r, err := round.New(porter("CONTINUE", "FINISH"), "books plates", &round.Options{
		Observe: func(s round.Step) {
			s.Started, s.Duration = time.Time{}, 0 // so that this prints the same every time
			write(s)
		},
		Redact: func(text string) string { return strings.ReplaceAll(text, "plates", "[household]") },
	})
	if err != nil {
		panic(err)
	}
	if _, err := r.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"v":1,"seq":1,"agent":"Porter","kind":"Porter","from":"CONTINUE","next_agent":"Porter","to":"CONTINUE","by":"model","reason":"carried books","calls":1,"usage":{"input_tokens":20,"output_tokens":2},"ns":0}
	// {"v":1,"seq":2,"agent":"Porter","kind":"Porter","from":"CONTINUE","next_agent":"Porter","to":"FINISH","by":"model","reason":"carried [household]","calls":1,"usage":{"input_tokens":20,"output_tokens":2},"ns":0}
}
