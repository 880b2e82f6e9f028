package temporal_test

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

var record = flag.Bool("update", false, "record the histories of testdata anew, with a server")

func histories(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 6)
	return files
}

func replay(t *testing.T, file string, register func(worker.WorkflowReplayer)) error {
	t.Helper()
	r := worker.NewWorkflowReplayer()
	register(r)
	return r.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)), file)
}

// Workflows that began with another release go on. A change that fails here has to go behind workflow.GetVersion:
// recording anew would only hide that it stops the workflows of others.
func TestReplay(t *testing.T) {
	for _, file := range histories(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			c, err := client.NewLazyClient(client.Options{})
			require.NoError(t, err)
			defer c.Close()
			e, err := temporal.New(c, nil)
			require.NoError(t, err)
			require.NoError(t, replay(t, file, e.Register))
		})
	}
}

// A release whose workflow does something else is noticed with each history.
func TestReplayOfAnotherWorkflow(t *testing.T) {
	for _, file := range histories(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			err := replay(t, file, func(r worker.WorkflowReplayer) {
				r.RegisterWorkflowWithOptions(func(ctx workflow.Context, _ any) error {
					return workflow.Sleep(ctx, time.Minute) // before the first drive
				}, workflow.RegisterOptions{Name: "agentfsm.Run"})
			})
			require.ErrorContains(t, err, "TMPRL1100") // a workflow that is not deterministic
		})
	}
}

// The histories that TestReal records are of the shapes that TestReplay has.
func TestRealHistories(t *testing.T) {
	p := newPlace(t)
	c := p.client(t)
	var e *temporal.Engine
	e = p.engine(t, &temporal.Options{Answer: func(ctx context.Context, run, _ string, _ people.Answer) (bool, error) {
		return true, e.Wake(ctx, run)
	}})
	e.SetMost(3)
	var b begun
	parked := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		over <- e.Work(ctx, func(ctx context.Context, run string) (runs.Next, error) {
			n := b.drive(run)
			switch {
			case run == "finished" && n == 2: // behind its answer
				if err := e.Wake(ctx, run); err != nil { // such as another answer
					return runs.Next{}, err
				}
				return runs.Next{At: time.Now().Add(time.Hour)}, nil
			case run == "finished" && n == 3:
				return runs.Next{Ended: true}, nil
			case run == "continued" && n == 3, run == "continued" && n == 1:
				return runs.Next{At: time.Now().Add(100 * time.Millisecond)}, nil
			case run == "continued" && n == 2:
				return runs.Next{At: time.Now()}, nil
			case run == "continued":
				return runs.Next{Ended: true}, nil
			case run == "broken off":
				close(parked)
				<-ctx.Done()
				return runs.Next{}, context.Cause(ctx)
			case run == "cancelled", run == "waiting", run == "finished": // a question that has a deadline
				return runs.Next{At: time.Now().Add(7 * 24 * time.Hour)}, nil
			}
			return runs.Next{}, nil
		})
	}()
	drives := func(run string, n int) {
		require.Eventually(t, func() bool { return b.of(run) == n }, 2*time.Minute, 10*time.Millisecond, run)
	}
	for _, run := range []string{"finished", "continued", "broken off", "cancelled", "waiting"} {
		require.NoError(t, e.Wake(t.Context(), run))
	}
	drives("finished", 1)
	given, err := update(t, c, "finished", "q", "7")
	require.NoError(t, err)
	assert.True(t, given)
	drives("finished", 3)
	drives("continued", 4)
	drives("cancelled", 1)
	drives("waiting", 1)
	<-parked
	for _, run := range []string{"cancelled", "broken off"} {
		require.NoError(t, e.Cancel(t.Context(), run))
	}
	first := ""
	for run, last := range map[string]enums.EventType{
		"finished":   enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
		"continued":  enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
		"broken off": enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
		"cancelled":  enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
		"waiting":    enums.EVENT_TYPE_TIMER_STARTED,
	} {
		h := whole(t, c, run, "", last)
		keep(t, e, run, h)
		if run == "continued" {
			first = h.GetEvents()[0].GetWorkflowExecutionStartedEventAttributes().GetContinuedExecutionRunId()
		}
	}
	require.NotEmpty(t, first, "it continued as new")
	keep(t, e, "continues", whole(t, c, "continued", first, enums.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW))
	stop()
	require.ErrorIs(t, <-over, context.Canceled)
}

// whole is the history of a workflow once it has this event.
func whole(t *testing.T, c client.Client, run, id string, last enums.EventType) *history.History {
	t.Helper()
	var h *history.History
	require.Eventually(t, func() bool {
		h = &history.History{}
		events := c.GetWorkflowHistory(t.Context(), temporal.WorkflowID(run), id, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			event, err := events.Next()
			require.NoError(t, err)
			h.Events = append(h.Events, event)
		}
		return h.GetEvents()[len(h.GetEvents())-1].GetEventType() == last
	}, 2*time.Minute, 50*time.Millisecond, "%s: %v", run, last)
	return h
}

// keep replays a history, and keeps it if that is wanted.
func keep(t *testing.T, e *temporal.Engine, name string, h *history.History) {
	t.Helper()
	text, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(h)
	require.NoError(t, err)
	dir := t.TempDir()
	if *record {
		dir = "testdata"
		require.NoError(t, os.MkdirAll(dir, 0o750))
	}
	file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".json")
	require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o600))
	require.NoError(t, replay(t, file, e.Register), name)
}
