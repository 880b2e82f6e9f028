package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// untimed is a logger whose records have no time.
func untimed(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

func TestSlogGolden(t *testing.T) {
	for name, opts := range map[string]*observe.SlogOptions{
		"slog.txt":         nil,
		"slog_content.txt": {Content: true},
	} {
		var out bytes.Buffer
		log := observe.Slog(untimed(&out, slog.LevelDebug), opts)
		for _, s := range story() {
			log(s)
		}
		golden.Equal(t, name, out.String())
	}
}

// The level decides what is logged, and every record has the context.
func TestSlogLevels(t *testing.T) {
	for level, want := range map[slog.Level]map[string]int{
		slog.LevelDebug: {"transition": 5, "fault": 1, "reply refused": 1, "reply repaired": 1, "verdict": 2, "question": 2, "command": 2, "phase": 1},
		slog.LevelInfo:  {"transition": 5, "fault": 1, "reply refused": 1, "verdict": 2, "question": 2, "command": 1},
		slog.LevelWarn:  {"transition": 2, "fault": 1, "reply refused": 1, "verdict": 1, "question": 1, "command": 1},
		slog.LevelError: {"fault": 1},
	} {
		h := &checking{t: t, level: level, messages: map[string]int{}}
		log := observe.Slog(slog.New(h), &observe.SlogOptions{Context: context.WithValue(t.Context(), traceKey{}, "4bf92f")})
		for _, s := range story() {
			log(s)
		}
		assert.Equal(t, want, h.messages, "%v", level)
		assert.NotContains(t, h.keys, nil)
	}
}

// checking is a handler that holds records against the rules that testing/slogtest
// holds handlers against: what they ignore or repair is not needed of them.
type checking struct {
	t        *testing.T
	level    slog.Level
	messages map[string]int
	keys     []any
}

func (h *checking) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }
func (h *checking) WithAttrs([]slog.Attr) slog.Handler               { return h }
func (h *checking) WithGroup(string) slog.Handler                    { return h }

func (h *checking) Handle(ctx context.Context, r slog.Record) error {
	h.keys = append(h.keys, ctx.Value(traceKey{}))
	h.messages[r.Message]++
	assert.False(h.t, r.Time.IsZero())
	assert.NotZero(h.t, r.PC)
	assert.GreaterOrEqual(h.t, r.Level, h.level)
	seen := map[string]bool{}
	r.Attrs(func(a slog.Attr) bool {
		assert.NotEmpty(h.t, a.Key)
		assert.False(h.t, seen[a.Key], "%s twice in %q", a.Key, r.Message)
		assert.True(h.t, strings.HasPrefix(a.Key, "gen_ai.") || strings.HasPrefix(a.Key, "agentfsm.") ||
			a.Key == "error.type" || a.Key == "exception.message", a.Key)
		assert.NotEqual(h.t, slog.KindGroup, a.Value.Kind(), a.Key)
		assert.NotEqual(h.t, slog.KindAny, a.Value.Kind(), "%s: every handler can write it", a.Key)
		assert.NotEqual(h.t, slog.KindLogValuer, a.Value.Kind(), a.Key)
		seen[a.Key] = true
		return true
	})
	assert.True(h.t, seen["agentfsm.step"] != seen["agentfsm.outcome"] && seen["gen_ai.agent.name"], "%s is of a step or of a round", r.Message)
	return errors.New("the disk is full") // is lost
}

type traceKey struct{}

// A level that is off costs nothing, whatever is in the step; and details that
// are off cost nothing where transitions are on.
func TestSlogAllocations(t *testing.T) {
	steps := story()
	off := observe.Slog(untimed(io.Discard, slog.LevelError+1), nil)
	for _, s := range steps {
		assert.Zero(t, testing.AllocsPerRun(100, func() { off(s) }), s.String())
	}

	on := observe.Slog(untimed(io.Discard, slog.LevelInfo), nil)
	busy, idle := steps[0], steps[0]
	busy.Refused, idle.Refused = nil, nil
	idle.Phases, idle.Repairs = nil, nil
	assert.Equal(t, testing.AllocsPerRun(100, func() { on(idle) }), testing.AllocsPerRun(100, func() { on(busy) }))
}

func TestSlogCutsLongTexts(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, nil))
	observe.Slog(logger, nil)(round.Step{Seq: 1, To: fsm.Finish, Reason: strings.Repeat("é", 2000)})
	var record map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &record))
	text, _, cut := strings.Cut(record["agentfsm.reason"].(string), "… [cut: ")
	assert.True(t, cut)
	assert.Len(t, text, 1024)
}

// No logger is the default one of that time.
func TestSlogDefault(t *testing.T) {
	old := slog.Default()
	t.Cleanup(func() { slog.SetDefault(old) })
	var out bytes.Buffer
	slog.SetDefault(untimed(&out, slog.LevelInfo))
	log := observe.Slog(nil, nil)
	slog.SetDefault(old)
	log(round.Step{Seq: 1})
	assert.Contains(t, out.String(), "msg=transition")
}

type brokenError struct{ err error }

func (e *brokenError) Error() string { return "broken" }
func (e *brokenError) Unwrap() error { return e.err } // panics when e is nil

func TestErrorType(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("x"), "_OTHER"},
		{&desktop.CallError{}, "*desktop.CallError"},
		{errors.Join(errors.New("x"), &round.BudgetError{}), "*round.BudgetError"},
		{errors.Join(errors.New("x")), "_OTHER"},
		{(*brokenError)(nil), "_OTHER"},
	} {
		var out bytes.Buffer
		observe.Slog(untimed(&out, slog.LevelInfo), nil)(round.Step{Seq: 1, Err: shown{c.err}})
		assert.Contains(t, out.String(), "level=ERROR msg=fault")
		assert.Contains(t, out.String(), "error.type="+c.want+" ", "%T", c.err)
	}
}

// shown is an error with a text of its own, as the one in a step.
type shown struct{ err error }

func (shown) Error() string   { return "shown" }
func (e shown) Unwrap() error { return e.err }

// Who is behind an observer that panics is not called.
func TestAll(t *testing.T) {
	assert.Nil(t, observe.All(nil, nil), "nobody observes, so nothing is recorded")
	var seen []string
	one := func(s round.Step) { seen = append(seen, s.Agent) }
	observe.All(nil, one)(round.Step{Agent: "alone"})
	assert.PanicsWithValue(t, "full", func() {
		observe.All(one, nil, one, func(round.Step) { panic("full") }, one)(round.Step{Agent: "A"})
	})
	assert.Equal(t, []string{"alone", "A", "A"}, seen)
}
