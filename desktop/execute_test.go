package desktop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/golden"
)

func TestExecuteGivesIDs(t *testing.T) {
	d := &fake{}
	res := execute(t, d, desktop.Command{ToolName: "a"})
	assert.Equal(t, "done", res.Text())
	id, err := uuid.Parse(res.CallID)
	assert.True(t, id.Version() == 4 && id.Variant() == uuid.RFC4122, res.CallID)
	assert.NoError(t, err)
	assert.Equal(t, d.got[0].CallID, res.CallID)

	res = execute(t, d, desktop.Command{ToolName: "a", CallID: "mine"})
	assert.Equal(t, "mine", res.CallID)
	assert.Equal(t, "mine", d.got[1].CallID)
}

func TestExecuteRefusesWhatIsNoAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		res  desktop.Result
		want string
	}{
		"unknown status": {desktop.Result{Status: "SUCCESS"}, `desktop: a: bad result: unknown status "SUCCESS"`},
		"other call":     {desktop.Result{Status: desktop.Success, CallID: "2"}, `desktop: a: bad result: it answers the call "2"`},
		"broken JSON": {desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Text: "x"}, {JSON: json.RawMessage(`{`)}}},
			`desktop: a: bad result: content 1 is not valid JSON`},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := desktop.Execute(t.Context(), answers(tt.res, nil), desktop.Command{ToolName: "a", CallID: "1"})
			assert.Zero(t, res)
			var broken *desktop.CallError
			require.ErrorAs(t, err, &broken, "nobody knows what the command did")
			assert.Equal(t, "a", broken.Tool)
			assert.EqualError(t, err, tt.want)

			// An interceptor that answers by itself is checked as well.
			ctx := desktop.WithInterceptor(t.Context(), func(desktop.Desktop) desktop.Desktop { return answers(tt.res, nil) })
			_, err = desktop.Execute(ctx, &fake{}, desktop.Command{ToolName: "a", CallID: "1"})
			assert.EqualError(t, err, tt.want)
		})
	}
	res := execute(t, answers(desktop.Result{Status: desktop.Skipped}, nil), desktop.Command{})
	assert.Equal(t, desktop.Skipped, res.Status)
}

func TestExecuteWrapsBrokenTransportsOnce(t *testing.T) {
	_, err := desktop.Execute(t.Context(), answers(desktop.TextResult("x"), io.ErrUnexpectedEOF), desktop.Command{ToolName: "a", CallID: "1"})
	assert.Equal(t, &desktop.CallError{Tool: "a", Err: io.ErrUnexpectedEOF}, err)
	assert.EqualError(t, err, "desktop: a: unexpected EOF")

	_, err = desktop.Execute(t.Context(), nil, desktop.Command{ToolName: "a"})
	assert.EqualError(t, err, "desktop: a: there is no desktop")
	_, err = desktop.Open(t.Context(), nil, nil)
	assert.EqualError(t, err, "desktop: list_tools: there is no desktop")
}

// ending is a context that ends when it was asked so often.
type ending struct {
	context.Context //nolint:containedctx // it is one

	asked, at int
}

func (c *ending) Err() error {
	if c.asked++; c.asked > c.at {
		return context.Canceled
	}
	return nil
}

// A call that failed has failed, whenever its context ends.
func TestAFailedCallHasAnError(t *testing.T) {
	for at := range 10 {
		d := desktop.Timeout(answers(desktop.Result{Status: desktop.Success}, context.Canceled), -1)
		_, err := desktop.Execute(&ending{Context: t.Context(), at: at}, d, desktop.Command{ToolName: "a"})
		require.ErrorIs(t, err, context.Canceled, at)
	}
}

func TestEveryCallHasADeadline(t *testing.T) {
	for name, tt := range map[string]struct {
		set  time.Duration
		own  error
		want time.Duration
		text string
	}{
		"default":   {0, nil, time.Minute, "no answer within 1m0s"},
		"own words": {time.Second, io.ErrClosedPipe, time.Second, "no answer within 1s (io: read/write on closed pipe)"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				d := desktop.Timeout(scoped{untilDone(tt.own), func(ctx context.Context, _ string) (desktop.Desktop, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}}, tt.set)
				for tool, call := range map[string]func() error{
					"click_input": func() error {
						_, err := desktop.Execute(ctx, d, commands.Click("1", ""))
						return err
					},
					"list_tools": func() error {
						_, err := desktop.Open(ctx, d, nil)
						return err
					},
				} {
					start := time.Now()
					err := call()
					assert.Equal(t, tt.want, time.Since(start))
					assert.EqualError(t, err, "desktop: "+tool+": "+tt.text)
					assert.ErrorIs(t, err, context.DeadlineExceeded)
					if tt.own != nil {
						assert.ErrorIs(t, err, tt.own)
					}
				}
				_, err := desktop.Scope(ctx, d, "1")
				assert.EqualError(t, err, `desktop: commands cannot be limited to window "1": no answer within `+tt.want.String())
			})
		})
	}
}

// What the caller's own context says is not mistaken for the call's deadline.
func TestExecuteGivesTheCauseOfTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := errors.New("the user went home")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		_, err := desktop.Execute(ctx, untilDone(nil), desktop.Command{ToolName: "a"})
		assert.EqualError(t, err, "desktop: a: the user went home")
		assert.ErrorIs(t, err, stop)
		assert.NotErrorIs(t, err, context.DeadlineExceeded)

		d := &fake{}
		_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "a"})
		assert.ErrorIs(t, err, stop)
		assert.Empty(t, d.got, "nothing is executed under a context that is done")

		ctx, done := context.WithTimeout(t.Context(), time.Second)
		defer done()
		_, err = desktop.Execute(ctx, untilDone(nil), desktop.Command{ToolName: "a"})
		assert.EqualError(t, err, "desktop: a: context deadline exceeded", "not that of the call")
	})
}

func TestAnAnswerAfterTheDeadlineCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &fake{execute: func(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
			<-ctx.Done()
			return desktop.TextResult("it is done all the same"), nil
		}}
		res := execute(t, d, desktop.Command{})
		assert.Equal(t, desktop.Success, res.Status)
	})
	unlimited := &fake{execute: func(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
		_, limited := ctx.Deadline()
		assert.False(t, limited, "a negative timeout is none")
		return desktop.TextResult("done"), nil
	}}
	execute(t, desktop.Timeout(unlimited, -1), desktop.Command{})
}

// named adds its name to a trail when it passes a call on.
type named struct {
	desktop.Desktop
	name  string
	trail *[]string
}

func (n named) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	*n.trail = append(*n.trail, n.name+" "+cmd.CallID)
	res, err := n.Desktop.Execute(ctx, cmd)
	*n.trail = append(*n.trail, n.name+" got "+res.CallID)
	return res, err
}

func (n named) Tools(ctx context.Context) ([]desktop.Tool, error) {
	*n.trail = append(*n.trail, n.name+" lists")
	return n.Desktop.Tools(ctx)
}

func TestInterceptorsSeeTheCallInTheirOrder(t *testing.T) {
	var trail []string
	budget := errors.New("budget: spent")
	refusing := desktop.WithInterceptor(t.Context(), func(desktop.Desktop) desktop.Desktop { return answers(desktop.Result{}, budget) })
	_, err := desktop.Execute(refusing, &fake{}, desktop.Command{})
	require.Equal(t, budget, err, "it is passed on")
	with := func(ctx context.Context, name string) context.Context {
		return desktop.WithInterceptor(ctx, func(d desktop.Desktop) desktop.Desktop { return named{d, name, &trail} })
	}
	ctx := with(with(t.Context(), "first"), "second")
	_, err = desktop.Execute(ctx, &fake{}, desktop.Command{ToolName: "a", CallID: "1"})
	require.NoError(t, err)
	_, err = desktop.Open(ctx, offers("a"), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"first 1", "second 1", "second got 1", "first got 1", "first lists", "second lists"}, trail)
}

// One tool that cannot be used costs that one, and not all.
func TestOpenLeavesOutWhatCannotBeUsed(t *testing.T) {
	golden.Cases(t, "tools.txt", func(text string) string {
		schemas := map[string]string{"broken": `{`, "misspelt": `{"type":"text"}`, "endless": `{"$ref":"#"}`}
		tools := []desktop.Tool{{Name: "a"}}
		for word := range strings.SplitSeq(text, ", ") {
			name, says, _ := strings.Cut(word, " ")
			tool := desktop.Tool{Name: strings.Trim(name, "-"), InputSchema: []byte(schemas[says])}
			tool.Annotations.DestructiveHint = says == "destroys"
			tools = append(tools, tool)
		}
		d := &fake{tools: func(context.Context) ([]desktop.Tool, error) { return tools, nil }}
		box, err := desktop.Open(t.Context(), d, nil)
		require.NoError(t, err)
		lines := []string{strings.Join(toolNames(box.Tools()), ", ")}
		_, err = desktop.NewToolbox(tools, nil)
		for _, problem := range box.Unusable() {
			lines = append(lines, problem.Error())
			require.ErrorContains(t, err, problem.Error(), "who writes tools is told")
		}
		if _, usable := box.Tool("b"); !usable && tools[1].Name == "b" {
			why := box.Check(desktop.Command{ToolName: "b"})
			require.ErrorIs(t, why, box.Unusable()[0])
			assert.EqualError(t, why, box.Unusable()[0].Error()+"; call another tool")
		}
		return strings.Join(lines, "\n")
	})
}

func TestScope(t *testing.T) {
	plain, narrow := &fake{}, &fake{}
	d := narrowed(t, plain, "1")
	assert.Same(t, plain, d)

	wide := scoped{plain, func(_ context.Context, id string) (desktop.Desktop, error) {
		switch id {
		case "1":
			return narrow, nil
		case "2":
			return nil, nil
		}
		return nil, errors.New("no such window")
	}}
	d = narrowed(t, wide, "1")
	assert.Same(t, narrow, d)

	d = narrowed(t, wide, "")
	assert.Same(t, plain, d.(scoped).fake)

	_, err := desktop.Scope(t.Context(), wide, "2")
	assert.EqualError(t, err, `desktop: commands cannot be limited to window "2": there is no desktop`)

	_, err = desktop.Scope(t.Context(), wide, "3")
	require.ErrorIs(t, err, desktop.ErrScope)
	assert.EqualError(t, err, `desktop: commands cannot be limited to window "3": no such window`)
}

// What a desktop is narrowed to has the same time, and one without windows stays one.
func TestTimeoutOfAWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wide := scoped{&fake{}, func(context.Context, string) (desktop.Desktop, error) { return untilDone(nil), nil }}
		d := narrowed(t, desktop.Timeout(wide, time.Hour), "1")
		_, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "a"})
		assert.EqualError(t, err, "desktop: a: no answer within 1h0m0s")
		_, err = desktop.Open(t.Context(), desktop.Join(desktop.Timeout(untilDone(nil), time.Second)), nil)
		assert.EqualError(t, err, "desktop: list_tools: desktop: joined desktop 1: no answer within 1s")
	})
	_, narrows := desktop.Timeout(&fake{}, 0).(desktop.Scoper)
	assert.False(t, narrows)
	_, err := desktop.Execute(t.Context(), desktop.Timeout(nil, 0), desktop.Command{ToolName: "a"})
	assert.EqualError(t, err, "desktop: a: there is no desktop")
	_, err = desktop.Open(t.Context(), desktop.Timeout(nil, 0), nil)
	assert.EqualError(t, err, "desktop: list_tools: there is no desktop")
	none := scoped{&fake{}, func(context.Context, string) (desktop.Desktop, error) { return nil, nil }}
	_, err = desktop.Scope(t.Context(), desktop.Timeout(none, 0), "1")
	assert.EqualError(t, err, `desktop: commands cannot be limited to window "1": there is no desktop`)
}

// Of a name that is too long no part is left, in which nobody would find a secret.
func TestErrorsLeaveLongNamesOut(t *testing.T) {
	long := "x" + strings.Repeat("ä", 10_000)
	_, failed := desktop.Windows(t.Context(), answers(desktop.FailureResult("%s", long), nil))
	assert.True(t, strings.HasSuffix(failed.Error(), long), "what a tool says is said in full")
	_, unusable := desktop.NewToolbox([]desktop.Tool{{Name: long, InputSchema: []byte(`{`)}}, nil)
	_, scope := desktop.Scope(t.Context(), scoped{&fake{}, func(context.Context, string) (desktop.Desktop, error) { return nil, io.EOF }}, long)
	for _, err := range []error{
		&desktop.CallError{Tool: long, Err: io.EOF}, unusable, scope,
		new(desktop.Toolbox).Check(desktop.Command{ToolName: long}),
		desktop.Command{ToolName: long}.Decode(nil),
	} {
		assert.Less(t, len(err.Error()), 200)
		assert.True(t, strings.HasPrefix(err.Error(), "desktop: "), err)
		assert.Contains(t, err.Error(), "(20001 bytes)")
		assert.NotContains(t, err.Error(), "xä")
	}
}

// A window that was closed is a tool's no, not a broken call: the agent reads it.
func TestAWindowThatIsGone(t *testing.T) {
	broken := fmt.Errorf("wmctrl: no window 0x7: %w", desktop.ErrWindowGone)
	res, err := desktop.Execute(t.Context(), answers(desktop.Result{}, broken), desktop.Command{ToolName: "x", CallID: "7"})
	require.NoError(t, err)
	assert.Equal(t, desktop.Result{Status: desktop.Failure, Error: broken.Error(), CallID: "7", Gone: true}, res)
	assert.ErrorIs(t, res.Err(), desktop.ErrWindowGone)
	assert.EqualError(t, res.Err(), "desktop: failed: wmctrl: no window 0x7: the window is closed")

	_, _, err = desktop.AppWindow(t.Context(), answers(desktop.Result{Status: desktop.Failure, Error: "crashed", Gone: true}, nil))
	assert.ErrorIs(t, err, desktop.ErrWindowGone)
	assert.EqualError(t, err, "desktop: get_app_window failed: crashed")
	_, _, err = desktop.AppWindow(t.Context(), answers(desktop.FailureResult("crashed"), nil))
	assert.NotErrorIs(t, err, desktop.ErrWindowGone)

	done := desktop.TextResult("done")
	done.Gone = true
	res = execute(t, answers(done, nil), desktop.Command{ToolName: "x"})
	assert.False(t, res.Gone, "a success had its window")

	ctx, cancel := context.WithCancel(t.Context())
	d := &fake{execute: func(context.Context, desktop.Command) (desktop.Result, error) {
		cancel()
		return desktop.Result{}, broken
	}}
	_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "x"})
	var call *desktop.CallError
	require.ErrorAs(t, err, &call)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestAppWindowOwns(t *testing.T) {
	for name, tt := range map[string]struct {
		windows []desktop.Window
		err     string
	}{
		"alone":                {[]desktop.Window{{ID: "1"}}, ""},
		"a dialog":             {[]desktop.Window{{ID: "1"}, {ID: "d", Owner: "1"}}, ""},
		"a dialog of a dialog": {[]desktop.Window{{ID: "1"}, {ID: "d", Owner: "1"}, {ID: "e", Owner: "d"}}, ""},
		"none":                 {nil, "desktop: get_app_window: bad result: 0 windows instead of one"},
		"two":                  {[]desktop.Window{{ID: "1"}, {ID: "2"}}, `desktop: get_app_window: bad result: 2 windows instead of one: "2" belongs to none before it`},
		"of another":           {[]desktop.Window{{ID: "1"}, {ID: "d", Owner: "9"}}, `desktop: get_app_window: bad result: 2 windows instead of one: "d" belongs to none before it`},
		"before its owner":     {[]desktop.Window{{ID: "1"}, {ID: "e", Owner: "d"}, {ID: "d", Owner: "1"}}, `desktop: get_app_window: bad result: 3 windows instead of one: "e" belongs to none before it`},
		"of itself":            {[]desktop.Window{{ID: "1"}, {ID: "d", Owner: "d"}}, `desktop: get_app_window: bad result: 2 windows instead of one: "d" belongs to none before it`},
		"without an id":        {[]desktop.Window{{ID: "1"}, {Owner: "1"}}, `desktop: get_app_window: bad result: 2 windows instead of one: "" belongs to none before it`},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := desktop.JSONResult(tt.windows)
			require.NoError(t, err)
			w, owned, err := desktop.AppWindow(t.Context(), answers(res, nil))
			if tt.err != "" {
				assert.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.windows, append([]desktop.Window{w}, owned...))
		})
	}
}
