package dbos_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/runs"
)

// A test binary that is started with this does not test: it works as the executor "worker" in this database.
const envURL = "DBOS_TEST_URL"

// older is what that process does until it is killed: it leaves a run that is being driven, one that waits for a time
// that is far, one that waits for a time that is near, and one that was woken.
func older(ctx context.Context, url string) error {
	e, err := dbos.New(ctx, config(url, "worker"), options)
	if err != nil {
		return err
	}
	c, err := sdk.NewClient(ctx, sdk.ClientConfig{DatabaseURL: url, Logger: discard})
	if err != nil {
		return err
	}
	for _, run := range []string{"far", "near", "driven"} {
		if err := e.Wake(ctx, run); err != nil {
			return err
		}
	}
	return e.Work(ctx, func(ctx context.Context, run string) (runs.Next, error) {
		switch run {
		case "far":
			return runs.Next{At: time.Now().Add(time.Hour)}, nil
		case "near":
			return runs.Next{At: time.Now().Add(5 * time.Second)}, nil
		}
		for ; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
			delayed, err := sdk.ListWorkflows(c, sdk.WithFilterStatus(sdk.WorkflowStatusDelayed))
			pending, err2 := sdk.ListWorkflows(c, sdk.WithFilterStatus(sdk.WorkflowStatusPending))
			if err != nil || err2 != nil {
				return runs.Next{}, errors.Join(err, err2)
			}
			if len(delayed) == 2 && len(pending) == 1 { // the drives of the other two are over
				fmt.Fprintln(os.Stdout, "driving", run)
				<-ctx.Done()
			}
		}
		return runs.Next{}, context.Cause(ctx)
	})
}

// A process of an older release is killed in a drive. What waits, every process of the newer release drives. The run that
// was being driven waits for a process with the id of the killed one.
func TestKilled(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		cmd := exec.CommandContext(t.Context(), olderRelease(t))
		cmd.Env = append(os.Environ(), envURL+"="+url)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "driving driven\n", line)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed

		other := open(t, url, "other")
		wake(t, other, "woken", "driven", "far")
		p := works(t, other, waits)
		p.awaits("woken", 1)
		p.awaits("far", 1)
		p.awaits("near", 1)
		assert.Zero(t, p.driven("driven"), "DBOS keeps it for the process that has begun with it")

		again := works(t, open(t, url, "worker"), waits)
		eventually(t, func() bool { return p.driven("driven")+again.driven("driven") > 0 }, "nobody drives the run")
		p.stop()
		again.stop()
		assert.Empty(t, rows(t, tools(t, url)))
	})
}

// olderRelease is another program than this one, which is what DBOS goes by where no version is given.
func olderRelease(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), filepath.Base(self))
	require.NoError(t, os.WriteFile(file, append(program, "an older release"...), 0o700)) //nolint:gosec // it is to be executed
	return file
}
