package durable_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/round"
)

// failer fails with an error, after whatever.
type failer func(ctx context.Context, cmd desktop.Command) error

func (failer) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (f failer) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return desktop.Result{}, f(ctx, cmd)
}

// An act that was cancelled is doubted from then on, in that process, in the next one and
// in a replay, which does not do the interrupted attempt again.
func TestDoubtsAreReplayed(t *testing.T) {
	for name, resumed := range map[string]bool{"the same process": false, "another one": true} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			ctx, cancel := context.WithCancel(t.Context())
			do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
				if c.N++; c.N == 1 {
					_, err := desktop.Execute(ctx, failer(func(context.Context, desktop.Command) error {
						cancel()
						return context.Canceled
					}), desktop.Command{ToolName: "pay"})
					return "", err
				}
				if len(trace.Uncertain(ctx)) > 0 { // as policies.AskUncertain looks at it
					return fsm.Fail, nil
				}
				return fsm.Finish, nil
			}
			s := y.begin(do, nil)
			_, err := s.Run(ctx, "go")
			require.ErrorIs(t, err, round.ErrCancelled)
			if resumed {
				s = y.resume(do, nil)
			}
			_, err = s.Round().Run(t.Context())
			require.ErrorIs(t, err, round.ErrFailed)
			_, err = y.replay(do)
			require.NoError(t, err)
		})
	}
}

// A command that was refused was not executed, and so settles no doubt about the same
// command, in a replay neither.
func TestARefusedCommandSettlesNothing(t *testing.T) {
	y, other := newTally(t), false // other: the code is another one
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N == 0 && other {
			c.N = 1
			return fsm.Continue, y.ask(ctx) // here it diverges
		}
		if c.N == 1 && len(trace.Uncertain(ctx)) == 0 {
			return fsm.Fail, nil
		}
		c.N++
		res, err := y.act(ctx, "pay")
		if err != nil {
			return "", err
		}
		if res.Status != desktop.Failure || len(trace.Uncertain(ctx)) == 0 {
			return fsm.Fail, nil
		}
		return fsm.Finish, nil // it was refused, and may have happened
	}
	y.dies(3, false, do) // round, intent, and no result
	other = true
	_, err := y.resume(do, nil).Round().Run(t.Context())
	require.NoError(t, err)
	_, err = y.replay(do)
	require.NoError(t, err)
}

// Nobody knows what came of an act that ran into its own deadline: its agent was told, and
// policies learn of it in every process.
func TestALateActIsDoubted(t *testing.T) {
	y := newTally(t)
	var doubts [][]desktop.Command
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N == 1 {
			_, err := desktop.Execute(ctx, failer(func(context.Context, desktop.Command) error {
				return context.DeadlineExceeded
			}), desktop.Command{ToolName: "pay"})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			return fsm.Continue, nil
		}
		doubts = append(doubts, trace.Uncertain(ctx))
		return fsm.Finish, y.ask(ctx)
	}
	y.dies(5, true, do) // round, intent, result, step, call
	_, err := y.resume(do, nil).Round().Run(t.Context())
	require.NoError(t, err)
	_, err = y.replay(do)
	require.NoError(t, err)
	require.Len(t, doubts, 3)
	for i, list := range doubts {
		require.Len(t, list, 1, i)
		assert.Equal(t, "pay", list[0].ToolName)
	}
}

// A tool acts where any list of tools has it as one that acts, and a picture that is
// written to a file is an act: a process that has seen only part of that knows it, too.
func TestWhatOnceActedHasAnIntent(t *testing.T) {
	look := desktop.Command{ToolName: desktop.CaptureDesktopScreenshot, Looks: true}
	saved := look
	saved.Parameters = map[string]any{"save_path": "/tmp/picture.png"}
	tool := func(readOnly bool) []desktop.Tool {
		return []desktop.Tool{{Name: "sync", Annotations: desktop.Annotations{ReadOnlyHint: readOnly}}}
	}
	sync := desktop.Command{ToolName: "sync", Looks: true}
	for name, c := range map[string]struct {
		first, then []desktop.Tool // lists, of two steps
		cmd         desktop.Command
		acts        bool
	}{
		"a picture":              {cmd: look},
		"a picture in a file":    {cmd: saved, acts: true},
		"only reads":             {tool(true), tool(true), sync, false},
		"acts":                   {tool(false), tool(false), sync, true},
		"acted in another list":  {tool(false), tool(true), sync, true},
		"acts in the newer list": {tool(true), tool(false), sync, true},
		"is in no list":          {nil, nil, sync, true},
	} {
		for which, crash := range map[string]bool{"": false, ", resumed": true} {
			t.Run(name+which, func(t *testing.T) {
				y := newTally(t)
				do := func(ctx context.Context, k *clerk) (fsm.Status, error) {
					if y.tools = c.first; k.N > 0 {
						y.tools = c.then
					}
					if _, err := desktop.Open(ctx, y, nil); err != nil {
						return "", err
					}
					if k.N++; k.N == 1 {
						return fsm.Continue, nil
					}
					_, err := desktop.Execute(ctx, y, c.cmd)
					return fsm.Finish, err
				}
				if crash {
					y.dies(2, true, do) // round, step
					_, err := y.resume(do, nil).Round().Run(t.Context())
					require.NoError(t, err)
				} else {
					_, err := y.begin(do, nil).Run(t.Context(), "go")
					require.NoError(t, err)
				}
				assert.Equal(t, c.acts, slices.Contains(y.kinds(), "intent"))
				_, err := y.replay(do)
				require.NoError(t, err)
			})
		}
	}
}

// What acted is given back as that, although its tool says by now that it only reads.
func TestAToolThatOnlyReadsByNow(t *testing.T) {
	y, readOnly := newTally(t), false
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		if readOnly { // nobody had listed it before
			y.tools = []desktop.Tool{{Name: "pay", Annotations: desktop.Annotations{ReadOnlyHint: true}}}
			if _, err := desktop.Open(ctx, y, nil); err != nil {
				return "", err
			}
		}
		_, err := y.act(ctx, "pay")
		return fsm.Finish, err
	}
	y.dies(3, true, do) // round, intent, result
	readOnly = true
	s := y.resume(do, nil)
	_, err := s.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Empty(t, diverged(t, y.store))
	assert.Equal(t, 1, y.done["pay"])
}
