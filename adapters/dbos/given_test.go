package dbos_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/runs"
)

// DBOS has taken a run for a process that never begins with it: the connection broke when it took it. The process notices,
// and leaves alone what it drives.
func TestTakenAndNotBegun(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		let := make(chan struct{})
		defer close(let)
		does := func(_ context.Context, run string) (runs.Next, error) {
			if run == "long" {
				<-let
			}
			return runs.Next{At: time.Now().Add(time.Hour)}, nil
		}
		p := works(t, open(t, url, "worker"), does)
		wake(t, p.engine, "long", "taken")
		p.awaits("taken", 1)
		p.awaits("long", 1)
		c := tools(t, url)
		eventually(t, func() bool {
			return len(rows(t, c, sdk.WorkflowStatusPending)) == 1 && len(rows(t, c, sdk.WorkflowStatusDelayed)) == 1
		}, "the run does not wait for its time")
		long := rows(t, c, sdk.WorkflowStatusPending)
		begun := func() time.Time {
			list, err := sdk.ListWorkflows(c, sdk.WithFilterWorkflowIDs(long...))
			require.NoError(t, err)
			require.Len(t, list, 1)
			return list[0].StartedAt
		}
		before := begun()
		other := works(t, open(t, url, "other"), does)
		take(t, url, sdk.WorkflowStatusDelayed, "worker")

		eventually(t, func() bool { return p.driven("taken")+other.driven("taken") == 2 }, "nobody drives the run")
		assert.Equal(t, before, begun(), "the run that is being driven is given back, too")
	})
}

// A run is woken, and DBOS takes it, before DBOS has done with the workflow of the drive before, whose row had the same id.
func TestSameRowAgain(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		var p *process
		var once sync.Once
		conf := config(url, "worker")
		conf.Serializer = hooked{encodes: func() {
			once.Do(func() {
				assert.NoError(t, p.engine.Wake(context.WithoutCancel(t.Context()), "run"))
				take(t, url, sdk.WorkflowStatusEnqueued, "worker")
			})
		}}
		p = works(t, opened(t, conf), waits)
		wake(t, p.engine, "run")
		p.awaits("run", 2)
		c := tools(t, url)
		eventually(t, func() bool { return len(rows(t, c)) == 0 }, "a row is left")
	})
}

// A process begins late with what DBOS has taken for it, and another one has it by now.
func TestGivenToAnother(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		left := make(chan struct{})
		var first, last sync.Once
		conf := config(url, "worker")
		conf.Serializer = hooked{
			decodes: func() { first.Do(func() { take(t, url, sdk.WorkflowStatusPending, "other") }) },
			encodes: func() { last.Do(func() { close(left) }) },
		}
		p := works(t, opened(t, conf), waits)
		wake(t, p.engine, "run")
		<-left
		p.stop()
		assert.Zero(t, p.driven("run"), "the other process drives it")
		assert.Len(t, rows(t, tools(t, url), sdk.WorkflowStatusPending), 1)

		conf = config(url, "other")
		conf.Serializer = hooked{}
		works(t, opened(t, conf), waits).awaits("run", 1)
	})
}

// take has DBOS have taken the rows with a status for an executor, as far as its tables say.
func take(t testing.TB, url string, status sdk.WorkflowStatusType, executor string) {
	t.Helper()
	db, table := database(t, url), "dbos.workflow_status"
	defer db.Close()
	if strings.HasPrefix(url, "sqlite:") {
		table = "workflow_status"
	}
	_, err := db.ExecContext(context.WithoutCancel(t.Context()),
		"UPDATE "+table+" SET status = 'PENDING', executor_id = $1, started_at_epoch_ms = $2 WHERE status = $3", executor, time.Now().UnixMilli(), status)
	assert.NoError(t, err)
}

// hooked is the JSON of a workflow, and calls its funcs before.
type hooked struct{ encodes, decodes func() }

func (h hooked) Name() string { return "hooked" }

func (h hooked) Encode(data any) (*string, error) {
	if _, run := data.(string); !run && h.encodes != nil {
		h.encodes()
	}
	text, err := json.Marshal(data)
	s := string(text)
	return &s, err
}

func (h hooked) Decode(data *string) (value any, err error) {
	if h.decodes != nil {
		h.decodes()
	}
	if data != nil {
		err = json.Unmarshal([]byte(*data), &value)
	}
	return value, err
}
