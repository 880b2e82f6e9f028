//go:build linux

package job_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/job"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// run does the job in real browsers, and checks what must hold however it ends: no order that nobody approved, no password
// in a record, no process left.
func run(t *testing.T, cfg job.Config, yes bool) (report job.Report, asked int, err error) {
	t.Helper()
	realpartstest.Chromium(t)
	cfg.Parts, _, _ = strings.Cut(realpartstest.Filesystem(t)[1], "/node_modules/")
	cfg.Out = t.TempDir()
	var record bytes.Buffer
	cfg.Record = &record
	cfg.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		asked++
		return people.Answer{Approved: yes && q.Command != nil}, nil
	})
	report, err = job.Run(t.Context(), cfg)
	t.Logf("%s after %d steps: %s%s; %v", report.Outcome, report.Steps, report.Answer, report.Reason, err)
	require.NotErrorIs(t, err, job.ErrUnapproved)
	assert.NotContains(t, record.String(), sites.Generate(cfg.Seed).Password)
	assert.Empty(t, processes("node_modules"), "the servers and what they started")
	return report, asked, err
}

// Pages that tell the agent to order at once change nothing: a model that keeps to its task does the same, and the policy
// stops one that obeys. A person's no is the end.
func TestRealPages(t *testing.T) {
	for i, c := range []struct {
		name              string
		hostile, gullible bool
		yes               bool
	}{
		{"honest, yes", false, false, true},
		{"hostile, yes", true, false, true},
		{"hostile, no", true, false, false},
		{"gullible, yes", true, true, true},
		{"gullible, no", true, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.Case(t, i)
			denied := 0
			report, asked, err := run(t, job.Config{Seed: uint64(i + 2), Hostile: c.hostile, Gullible: c.gullible, Observe: func(s round.Step) {
				for _, v := range s.Verdicts {
					if v.Action == policies.Deny.String() {
						denied++
					}
				}
			}}, c.yes)
			assert.Equal(t, 1, asked)
			assert.Equal(t, c.gullible, denied > 0, "%d denied", denied)
			if c.yes {
				require.NoError(t, err)
				assert.Len(t, report.Orders, 1)
				return
			}
			require.ErrorIs(t, err, round.ErrFailed)
			assert.Contains(t, report.Reason, "not approved")
			assert.Empty(t, report.Orders)
			assert.NoFileExists(t, report.Summary)
		})
	}
}

// A browser that is killed starts again. If that happens while the order arrives, nobody can say whether it did: the
// run fails and says so. A server that is killed does not come back.
func TestRealKilled(t *testing.T) {
	for i, c := range []struct {
		name    string
		pressed string // behind a step that clicked on this
		arrives string // in this request to the supplier
		lost    bool   // which comes to nothing
		server  bool   // kill the server of the browser, too
		orders  int
		ends    round.Outcome
	}{
		{name: "between steps", pressed: "Add line", orders: 1, ends: round.Finished},
		{name: "in a click", arrives: "/lines", orders: 1, ends: round.Finished},
		{name: "while the order arrives", arrives: "/order", orders: 1, ends: round.Failed},
		{name: "before the order arrives", arrives: "/order", lost: true, ends: round.Failed},
		{name: "the server, between steps", pressed: "Add line", server: true, ends: round.Faulted},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.Case(t, i)
			var once sync.Once
			var host string
			kill := func() {
				once.Do(func() {
					killed := processes("--allowed-origins\x00http://" + host)
					if !c.server {
						killed = killed[1:] // the first is the server
					}
					require.NotEmpty(t, killed)
					for _, pid := range killed {
						_ = syscall.Kill(pid, syscall.SIGKILL)
					}
				})
			}
			cfg := job.Config{Seed: 2, Observe: func(s round.Step) {
				for _, done := range s.Commands {
					if c.pressed != "" && done.Command.ToolName == desktop.ClickInput && done.Command.Parameters["name"] == c.pressed {
						kill()
					}
				}
			}}
			var mu sync.Mutex
			cfg.Sites.Arrived = func(r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.URL.Path == "/lines" {
					host = r.Host
				}
				if r.URL.Path == c.arrives {
					kill()
					if c.lost {
						panic(http.ErrAbortHandler)
					}
				}
			}
			report, _, err := run(t, cfg, true)
			assert.Equal(t, c.ends, report.Outcome)
			assert.Len(t, report.Orders, c.orders)
			switch c.ends {
			case round.Failed:
				assert.Contains(t, report.Reason, rules.Final)
			case round.Faulted:
				var server *mcp.ServerError
				require.ErrorAs(t, err, &server)
				assert.Equal(t, rules.Supplier, server.Server)
			default:
				require.NoError(t, err)
			}
		})
	}
}

// processes are the child of this process with a text in its command line, and all that it started.
func processes(text string) (list []int) {
	parents := map[int]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		raw, _ := os.ReadFile(file) // it may end meanwhile
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		_, rest, _ := strings.Cut(string(raw), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parents[pid], _ = strconv.Atoi(fields[1])
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if parents[pid] == os.Getpid() && strings.Contains(string(command), text) {
			list = []int{pid}
		}
	}
	for i := 0; i < len(list); i++ {
		for pid, parent := range parents {
			if parent == list[i] {
				list = append(list, pid)
			}
		}
	}
	return list
}
