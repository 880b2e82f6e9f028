package runs_test

import (
	"bytes"
	"context"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/runs"
)

// What ends its goroutine, as t.FailNow does in a fake, takes no place from others: it is logged, and the run has an error.
func TestGoexit(t *testing.T) {
	exit := func(context.Context) (int, error) { runtime.Goexit(); return 0, nil }
	for name, c := range map[string]struct {
		in    string
		stage durable.Stage
	}{
		"in an effect":    {"effect", durable.Ended},
		"in a Handle":     {"handle", durable.Ended},
		"in Config.Agent": {"agent", durable.Aside},
		"in done":         {"done", durable.Ended},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, func(ctx context.Context, tl *teller, _ int) (bool, error) {
					if tl.run == "good" {
						return true, nil
					}
					switch c.in {
					case "effect":
						_, err := effects.Do(ctx, "k", exit)
						return true, err
					case "handle":
						return false, func() error { _, err := exit(ctx); return err }()
					}
					return true, nil
				})
				var log bytes.Buffer
				agent := func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
					bad := run.Run != "good"
					if bad && c.in == "agent" {
						runtime.Goexit()
					}
					a := w.teller(run.Run).Agent
					return a, func() {
						if bad && c.in == "done" {
							runtime.Goexit()
						}
					}, nil
				}
				svc := w.works(w.process(runs.Config{MaxRuns: 2, MaxTries: 3, Agent: agent, Logger: slog.New(slog.NewTextHandler(&log, nil))}))
				for _, run := range []string{"bad 1", "bad 2", "good"} {
					w.start(svc, run)
				}
				time.Sleep(time.Hour)
				synctest.Wait() // what was logged is read
				assert.Equal(t, `ended FINISH "" ""`, w.stands("good"))
				for _, run := range []string{"bad 1", "bad 2"} {
					state := w.look(run)
					assert.Equal(t, c.stage, state.Stage)
					if c.in != "done" {
						assert.Contains(t, state.Reason, "Goexit", run)
					}
					if c.in != "effect" && c.in != "handle" {
						assert.GreaterOrEqual(t, strings.Count(log.String(), "Goexit"), 2)
					}
				}
				require.NoError(t, svc.Close(t.Context()))
			})
		})
	}
}
