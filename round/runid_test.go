package round_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	logs "github.com/agentfsm/agentfsm/round/observe"
)

// contexts keeps the run and the round of each context that it is given.
type contexts map[string]string

func (c contexts) see(ctx context.Context, where string) {
	run, n := round.RunID(ctx)
	c[where] = fmt.Sprintf("%s/%d", run, n)
}

// all calls everything that a Handle can call.
func (c contexts) all(ctx context.Context) error {
	c.see(ctx, "Handle")
	if _, err := llm.Complete(ctx, llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		c.see(ctx, "model")
		return echo(ctx, req)
	}), &llm.Request{}); err != nil {
		return err
	}
	if _, err := desktop.Execute(ctx, sees{c}, desktop.Command{ToolName: "press"}); err != nil {
		return err
	}
	if _, err := people.Ask(ctx, people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
		c.see(ctx, "user")
		return people.Answer{Text: "yes"}, nil
	}), people.Question{ID: "q", Text: "?"}, -1); err != nil {
		return err
	}
	_, err := effects.Do(ctx, "pay", func(ctx context.Context) (string, error) {
		c.see(ctx, "effect")
		return "", nil
	})
	return err
}

type sees struct{ contexts }

func (s sees) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (s sees) Execute(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
	s.see(ctx, "tool")
	return desktop.Result{Status: desktop.Success}, nil
}

func TestRunID(t *testing.T) {
	everywhere := func(at string) contexts {
		return contexts{"Handle": at, "model": at, "tool": at, "user": at, "effect": at}
	}
	for name, test := range map[string]struct {
		run    string
		rounds int // of a session; 0: a round of its own
		want   string
	}{
		"a session":                     {run: "order 7", rounds: 1, want: "order 7/1"},
		"its second round":              {run: "order 7", rounds: 2, want: "order 7/2"},
		"a session without a run":       {rounds: 2, want: "/2"},
		"a round in no session":         {run: "order 7", want: "order 7/0"},
		"a round in no session, no run": {want: "/0"},
	} {
		t.Run(name, func(t *testing.T) {
			seen, in := contexts{}, contexts{}
			a := newPuppet("A")
			a.do = func(ctx context.Context) error {
				if err := seen.all(ctx); err != nil {
					return err
				}
				b := newPuppet("B")
				b.do = in.all
				inner, err := round.New(b, "go", nil)
				if err != nil {
					return err
				}
				res, err := inner.Run(ctx)
				in["Result"] = fmt.Sprintf("%s/%d", res.Run, res.Round)
				return err
			}
			var lines, log bytes.Buffer
			logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			opts := &round.Options{Run: test.run, Observe: logs.All(round.JSONL(&lines), logs.Slog(logger, nil))}
			var res round.Result
			if test.rounds == 0 {
				r, err := round.New(a, "go", opts)
				require.NoError(t, err)
				res, err = r.Run(t.Context())
				require.NoError(t, err)
			}
			if test.rounds > 0 {
				s, err := round.NewSession(a, opts)
				require.NoError(t, err)
				s.Adjust(func(o *round.Options) { o.Run = "another" }) // changes nothing
				for range test.rounds {
					lines.Reset()
					log.Reset()
					res, err = s.Run(t.Context(), "go")
					require.NoError(t, err)
				}
			}
			require.NoError(t, round.JSONLResult(&lines, res))
			logs.SlogResult(logger, nil)(res)

			assert.Equal(t, everywhere(test.want), seen)
			inner := everywhere(test.want)
			inner["Result"] = test.want
			assert.Equal(t, inner, in, "a round within a Handle has the run of the outer round")
			for line := range bytes.Lines(lines.Bytes()) {
				var step struct {
					place
					Result *place `json:"result"`
				}
				require.NoError(t, json.Unmarshal(line, &step))
				if step.Result != nil {
					step.place = *step.Result
				}
				assert.Equal(t, test.want, step.String(), "%s", line)
			}
			records := 0
			for line := range bytes.Lines(log.Bytes()) {
				var record struct {
					Run   string `json:"agentfsm.run.id"`
					Round int    `json:"agentfsm.round"`
				}
				require.NoError(t, json.Unmarshal(line, &record))
				assert.Equal(t, test.want, place(record).String(), "%s", line)
				records++
			}
			assert.Greater(t, records, 4, "a transition, a command, a question, and the end")
		})
	}
}

type place struct {
	Run   string `json:"run"`
	Round int    `json:"round"`
}

func (p place) String() string { return fmt.Sprintf("%s/%d", p.Run, p.Round) }

// A round whose agents it hands over to another one keeps its run.
func TestRunIDAfterAHandOver(t *testing.T) {
	seen := contexts{}
	b := newPuppet("B")
	b.do = seen.all
	a := newPuppet("A", pass, fsm.Finish)
	a.pass = []fsm.Agent{b}
	b.heir = a
	_, res, err := path(t, a, &round.Options{Run: "r"})
	require.NoError(t, err)
	assert.Equal(t, "r/0", seen["tool"])
	assert.Equal(t, "r", res.Run)
}

// A session within a Handle has the run of that Handle, also if it is used by several.
func TestRunIDOfASessionWithinARun(t *testing.T) {
	seen := contexts{}
	b := newPuppet("B")
	b.do = seen.all
	inner, err := round.NewSession(b, nil)
	require.NoError(t, err)
	for _, run := range []string{"r1", "r2"} {
		a := newPuppet("A")
		a.do = func(ctx context.Context) error {
			res, err := inner.Run(ctx, "go")
			assert.Equal(t, run, res.Run)
			return err
		}
		outer, err := round.NewSession(a, &round.Options{Run: run})
		require.NoError(t, err)
		_, err = outer.Run(t.Context(), "go")
		require.NoError(t, err)
		assert.Equal(t, run+"/1", seen["tool"])
	}
}
