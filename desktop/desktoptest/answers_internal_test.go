package desktoptest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// nowhere is the name of a tool that is not there.
const nowhere = "a_tool_that_nobody_has"

func TestBrokenAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		bend func(*crooked)
		want map[string]string
	}{
		"failure as an error": {
			says(desktop.ClickInput, desktop.Result{}, errors.New("no such control")),
			map[string]string{"failure": `"click_input" ends with the error "no such control": an error means that the transport is broken`},
		},
		"failure as success": {
			says(desktop.ClickInput, desktop.TextResult("clicked"), nil),
			map[string]string{"failure": `to which the tool should say no, ends with the status "success"`},
		},
		"failure without a word": {
			says(desktop.ClickInput, desktop.FailureResult(""), nil),
			map[string]string{"failure": "says no and not why"},
		},
		"unknown tool as success": {
			func(c *crooked) {
				only(c, nowhere, func(context.Context, desktop.Command) (desktop.Result, error) { return desktop.TextResult("done"), nil })
			},
			map[string]string{"unknown": `a command of a tool that does not exist ends with the status "success": it must be a failure`},
		},
		"unknown tool as a broken transport": {
			func(c *crooked) {
				only(c, nowhere, func(context.Context, desktop.Command) (desktop.Result, error) {
					return desktop.Result{}, errors.New("404")
				})
			},
			map[string]string{"unknown": `ends with the error "404", as a broken transport does`},
		},
		"unknown tool as a panic": {
			func(c *crooked) {
				only(c, nowhere, func(context.Context, desktop.Command) (desktop.Result, error) { panic("nil map") })
			},
			map[string]string{"unknown": `Execute of "a_tool_that_nobody_has" panics: nil map`},
		},
		"arguments not looked at": {
			func(c *crooked) {
				all(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					if _, ok := cmd.Parameters["at"]; !ok {
						cmd.Parameters = look.Parameters
					}
					return c.Desktop.Execute(ctx, cmd)
				})
			},
			map[string]string{"arguments": `"look" with required parameters missing, which its schema forbids, ends with the status "success"`},
		},
		"arguments trusted": {
			func(c *crooked) {
				all(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					_ = cmd.Parameters["at"].([]any)
					return c.Desktop.Execute(ctx, cmd)
				})
			},
			map[string]string{"arguments": `Execute of "look" panics: interface conversion`},
		},
		"parameters changed": {
			func(c *crooked) {
				only(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					defer func() {
						if at, ok := cmd.Parameters["at"].([]any); ok && len(at) == 2 {
							at[0] = "bottom"
						}
					}()
					return c.Desktop.Execute(ctx, cmd)
				})
			},
			map[string]string{"parameters": `Execute of "look" changed the Parameters of its command from map[at:[top `},
		},
		"parameters kept": {
			func(c *crooked) {
				var mu sync.Mutex
				var first map[string]any
				only(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					mu.Lock()
					defer mu.Unlock()
					if first == nil && len(cmd.Parameters) > 0 {
						first = cmd.Parameters
					}
					if first["spoilt"] != nil {
						return desktop.FailureResult("I do not know the parameter spoilt"), nil
					}
					return c.Desktop.Execute(ctx, cmd)
				})
			},
			map[string]string{"parameters": "after the caller changed the parameters of the first: they were kept"},
		},
		"results not copied": {
			func(c *crooked) {
				shared := []desktop.Content{{JSON: json.RawMessage(`{"seen":1}`)}}
				only(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					res, err := c.Desktop.Execute(ctx, cmd)
					res.Content = shared
					return res, err
				})
			},
			map[string]string{"results": `two results of "look" share memory`},
		},
		"twice": {
			func(c *crooked) {
				only(c, "bump", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					_, _ = c.Desktop.Execute(ctx, cmd)
					return c.Desktop.Execute(ctx, cmd)
				})
			},
			map[string]string{"effect": `"bump" was executed 1 times and had its effect 2 times`},
		},
		"never": {
			says("bump", desktop.TextResult("done"), nil),
			map[string]string{"effect": `"bump" was executed 1 times and had its effect 0 times`},
		},
		"a context that is not read": {
			func(c *crooked) {
				only(c, "bump", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					return c.Desktop.Execute(context.WithoutCancel(ctx), cmd)
				})
			},
			map[string]string{"cancel": `"bump" had its effect under a context that was done before the call`},
		},
		"a cancelled call as a success": {
			func(c *crooked) {
				only(c, desktop.Wait, func(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
					<-ctx.Done()
					return desktop.TextResult("waited"), nil
				})
			},
			map[string]string{"cancel": `"wait" was cancelled while it was running and ends with the status "success"`},
		},
		"one call at a time": {
			func(c *crooked) {
				var busy atomic.Bool
				only(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					if !busy.CompareAndSwap(false, true) {
						return desktop.FailureResult("busy"), nil
					}
					defer busy.Store(false)
					time.Sleep(time.Millisecond)
					return c.Desktop.Execute(ctx, cmd)
				})
			},
			map[string]string{"concurrent": `"look" ends with the status "failure" with "busy" (with several goroutines at once)`},
		},
		"answers mixed up": {
			func(c *crooked) {
				var last atomic.Value
				only(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
					last.Store(cmd.CallID)
					time.Sleep(time.Millisecond)
					res, err := c.Desktop.Execute(ctx, cmd)
					res.CallID, _ = last.Load().(string)
					return res, err
				})
			},
			map[string]string{"concurrent": "repeat the CallID of the command, or leave it empty (with several goroutines at once)"},
		},
	} {
		t.Run(name, func(t *testing.T) { expect(t, inspect(t, bent(tc.bend), options()), tc.want) })
	}
}
