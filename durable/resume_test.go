package durable_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// half is a world whose first process died in the middle of the run.
func half(t *testing.T, at int, after bool) *world {
	w := newWorld(t)
	w.store.start(at, after)
	_, err := w.life(true)
	require.ErrorIs(t, err, round.ErrLost)
	require.True(t, w.store.dead())
	w.store.start(0, false)
	return w
}

func (w *world) resume() *round.Session {
	w.t.Helper()
	s, err := durable.Open(w.t.Context(), w.host(), w.store, "run", &durable.Options{Existing: true, Round: unbounded()})
	require.NoError(w.t, err)
	return s
}

// records are the kinds in the journal.
func (w *world) records() (kinds []string, text string) {
	for entry, err := range w.store.Read(context.Background(), "run", 1) {
		require.NoError(w.t, err)
		var head struct{ Kind string }
		require.NoError(w.t, json.Unmarshal(entry.Data, &head))
		kinds, text = append(kinds, head.Kind), text+string(entry.Data)+"\n"
	}
	return kinds, text
}

func TestResumeRefuses(t *testing.T) {
	_, err := durable.Open(t.Context(), newWorld(t).host(), store.Memory(), "run", &durable.Options{Existing: true})
	require.ErrorIs(t, err, durable.ErrNoRun)
	_, err = durable.Open(t.Context(), newWorld(t).host(), nil, "run", &durable.Options{Existing: true})
	require.Error(t, err)
	_, err = durable.Open(t.Context(), nil, store.Memory(), "run", &durable.Options{Existing: true})
	require.ErrorIs(t, err, round.ErrAgent)

	config := func(w *world) hostagent.Config {
		return hostagent.Config{Config: appagent.Config{Model: llm.ModelFunc(w.think), Desktop: w.desk, NoImages: true}}
	}
	var died [][]byte
	for entry, err := range half(t, 40, true).store.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		died = append(died, entry.Data)
	}
	for name, c := range map[string]struct {
		host   func(w *world) fsm.Worker
		append string
		want   any
	}{
		"another kind": {host: func(w *world) fsm.Worker {
			a, err := appagent.New(appagent.Config{Model: llm.ModelFunc(w.think), Desktop: w.desk})
			require.NoError(t, err)
			return a
		}, want: round.ErrNotResumable},
		"another name": {host: func(w *world) fsm.Worker {
			c := config(w)
			c.Name = "somebody"
			a, err := hostagent.New(c)
			require.NoError(t, err)
			return a
		}, want: round.ErrNotResumable},
		"an agent that cannot be made": {host: func(w *world) fsm.Worker {
			c := config(w)
			c.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return nil, errBang }
			a, err := hostagent.New(c)
			require.NoError(t, err)
			return a
		}, want: errBang},
		"an agent of another kind": {host: func(w *world) fsm.Worker {
			c := config(w)
			c.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
				app.Name = "x"
				return appagent.New(app)
			}
			a, err := hostagent.New(c)
			require.NoError(t, err)
			return a
		}, want: round.ErrNotResumable},
		"without Save":       {host: func(*world) fsm.Worker { return withoutSave("p") }, want: round.ErrNotResumable},
		"a newer record":     {append: `{"v":2,"kind":{"of":"another form"}}`, want: store.ErrVersion},
		"no JSON":            {append: `{"v":1`, want: store.ErrDamaged},
		"more behind":        {append: `{"v":1}{}`, want: store.ErrDamaged},
		"no version":         {append: `{}`, want: store.ErrDamaged},
		"half a call":        {append: `{"v":1,"kind":"call"}`, want: store.ErrDamaged},
		"half a step":        {append: `{"v":1,"kind":"step","step":{}}`, want: store.ErrDamaged},
		"no such status":     {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"REST"}],"used":{}}}`, want: fsm.ErrUnknownStatus},
		"half a round":       {append: `{"v":1,"kind":"round","round":{}}`, want: store.ErrDamaged},
		"no list of tools":   {append: `{"v":1,"kind":"tools","tools":{"ref":"sha256:0"}}`, want: store.ErrDamaged},
		"a place of another": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"x","status":"CONTINUE"}],"used":{}}}`, want: round.ErrNotResumable},
		"nobody made it":     {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"x","kind":"x","status":"REST"}],"used":{}}}`, want: round.ErrNotResumable},
		"memos that are missing": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"agent":{"logs":{"memory":{"keep":70}}}}}}`, want: store.ErrDamaged},
		"data that does not fit": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"agent":{"state":{"open":"subtask_7"}}}}}`, want: round.ErrNotResumable},
		"a blackboard that does not fit": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"board":[{"op":"later"}]}}}`, want: blackboard.ErrInvalid},
		"a picture that is not kept": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"board":[{"op":"put_blob","name":"sha256:0","media_type":"image/png"}]}}}`, want: blackboard.ErrInvalid},
		"answers nothing":  {append: `{"v":1,"kind":"answer","answer":{"id":"nobody"}}`},
		"an unknown kind":  {append: `{"v":1,"kind":"future","news":1,"step":null}`},
		"an unknown field": {append: `{"v":1,"kind":"resume","future":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t) // with the journal of another one, which goes on nowhere
			if c.want == nil {
				w = half(t, 40, true)
			} else {
				require.NoError(t, w.store.Append(t.Context(), "run", 0, died...))
			}
			if c.append != "" {
				require.NoError(t, w.store.Append(t.Context(), "run", int64(len(died)), []byte(c.append)))
			}
			calls, done := w.calls, len(w.done)
			host := fsm.Worker(w.host())
			if c.host != nil {
				host = c.host(w)
			}
			s, err := durable.Open(t.Context(), host, w.store, "run", &durable.Options{Existing: true, Round: unbounded()})
			assert.Equal(t, calls, w.calls)
			assert.Len(t, w.done, done)
			if c.want == nil {
				require.NoError(t, err)
				_, err = s.Round().Run(t.Context())
				require.NoError(t, err)
				w.requireOnce()
				return
			}
			require.ErrorIs(t, err, c.want.(error))
			assert.True(t, strings.HasPrefix(err.Error(), "durable: "), err)
		})
	}
}

// What an agent saw before it was interrupted may have changed: the target of its
// first act is looked at once more.
func TestTheFirstActLooksAgain(t *testing.T) {
	for name, renamed := range map[string]bool{"the same": false, "changed": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
				w.calls++
				if _, acted := llm.FindSection(req, "history"); acted {
					return &llm.Response{Text: `{"Status":"FINISH","Comment":"done"}`}, nil
				}
				click := `{"Status":"CONTINUE","Function":"click_input","Args":{"id":"rows"}}`
				return &llm.Response{Text: click + strings.Repeat(" ", 32<<10)}, nil // too large to ride
			})
			on := func(d desktop.Desktop) *appagent.Agent {
				a, err := appagent.New(appagent.Config{Model: model, Desktop: d, Window: desktop.Window{ID: "1", Root: "excel", Process: "book"}})
				require.NoError(t, err)
				return a
			}
			agent := func() *appagent.Agent { return on(w.desk) }
			w.store.start(2, true) // the call is recorded, the act is not begun
			s, err := durable.Open(t.Context(), agent(), w.store, "run", nil)
			require.NoError(t, err)
			_, err = s.Run(t.Context(), "click")
			require.ErrorIs(t, err, round.ErrLost)
			w.store.start(0, false)
			if renamed {
				w.excel.ChangeControl("rows", func(now *desktop.Control) { now.Name = "delete all" })
			}
			s, err = durable.Open(t.Context(), agent(), w.store, "run", &durable.Options{Existing: true})
			require.NoError(t, err)
			var commands []round.Command
			for step, err := range s.Round().Steps(t.Context()) {
				require.NoError(t, err)
				commands = append(commands, step.Commands...)
			}
			assert.Equal(t, 2, w.calls, "the reply was given back")
			assert.Equal(t, !renamed, len(w.desk.Calls("click_input")) == 1)
			assert.NotEmpty(t, commands)
			assert.Equal(t, round.Finished, s.Round().Result().Outcome)
			res, err := durable.Replay(t.Context(), on(untouchable{t}), w.store, "run", nil)
			require.NoError(t, err)
			assert.Equal(t, s.Round().Result(), res)
			assert.Equal(t, 2, w.calls)
		})
	}
}
