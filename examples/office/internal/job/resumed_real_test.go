//go:build linux

package job_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/examples/office/stage"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// agents is what the process of the agents is told, as JSON in this variable.
const agentsVariable = "OFFICE_TEST_AGENTS"

type agents struct {
	In, Out, Request, Dir, Journal, Log string
	Screen                              stage.Screen
}

// TestMain is also the process of the agents, which a test kills.
func TestMain(m *testing.M) {
	var a agents
	if json.Unmarshal([]byte(os.Getenv(agentsVariable)), &a) != nil {
		os.Exit(m.Run())
	}
	log, err := os.OpenFile(a.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	report, err := job.Run(context.Background(), job.Config{
		In: a.In, Out: a.Out, Request: a.Request, Dir: a.Dir, Journal: a.Journal, Screen: &a.Screen, User: &says{},
		Wrap: func(d desktop.Desktop) desktop.Desktop { return &logged{d, log} },
	})
	if err != nil {
		fmt.Println(report.Outcome, report.Reason, err)
		os.Exit(1)
	}
	fmt.Println(report.Outcome, report.Answer)
}

// logged writes down which commands reach the screen, before they do.
type logged struct {
	desktop.Desktop
	log *os.File
}

func (l *logged) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	d, err := desktop.Scope(ctx, l.Desktop, id)
	return &logged{d, l.log}, err
}

// line is one of the log.
type line struct {
	ID         string         `json:"id"`
	Tool       string         `json:"tool"`
	Parameters map[string]any `json:"parameters"`
	Begun      bool           `json:"begun"`
	Done       bool           `json:"done"` // with success
}

func (l *logged) write(x line) {
	raw, err := json.Marshal(x)
	if err == nil {
		_, err = l.log.Write(append(raw, '\n'))
	}
	if err != nil {
		panic(err)
	}
}

func (l *logged) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	x := line{ID: cmd.CallID, Tool: cmd.ToolName, Parameters: cmd.Parameters, Begun: true}
	l.write(x)
	res, err := l.Desktop.Execute(ctx, cmd)
	x.Begun, x.Done = false, err == nil && res.Status == desktop.Success
	l.write(x)
	return res, err
}

func readLog(t testing.TB, file string) (list []line) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		var x line
		require.NoError(t, json.Unmarshal(scan.Bytes(), &x))
		list = append(list, x)
	}
	return list
}

// looks are tools that only look: the process after a crash looks again.
var looks = map[string]bool{
	desktop.GetUITree: true, desktop.GetAppWindow: true, desktop.GetControl: true, desktop.GetDesktopAppInfo: true, desktop.Wait: true,
	"list_tables": true, "extract_table": true, desktop.SelectApplicationWindow: true,
}

// The process of the agents is killed in the middle, the screen lives on, and the next process goes on with the journal:
// the file is right, and no act was done twice.
func TestRealResumed(t *testing.T) {
	installed(t)
	random := rand.New(rand.NewPCG(3, 3))
	self, err := os.Executable()
	require.NoError(t, err)
	killed := 0
	runs := realpartstest.Runs(10)
	for i := range runs {
		c := sample.Paper(4500 + uint64(i))
		cfg := files(t, c, ".docx", []string{".xlsx", ".ods"}[i%2])
		s := newScreen(t)
		dir := t.TempDir()
		a := agents{cfg.In, cfg.Out, cfg.Request, filepath.Join(dir, "run"), filepath.Join(dir, "journal"), filepath.Join(dir, "log"), *s.stage()}
		told, err := json.Marshal(a)
		require.NoError(t, err)
		process := func(ctx context.Context) (string, error) {
			cmd := exec.CommandContext(ctx, self)
			cmd.Env = append(os.Environ(), agentsVariable+"="+string(told))
			text, err := cmd.CombinedOutput()
			return string(text), err
		}
		after := time.Duration(1500+random.IntN(11000)) * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), after)
		said, err := process(ctx) // SIGKILL at its end
		cancel()
		if ctx.Err() != nil {
			killed++
			said, err = process(bounded(t))
		}
		t.Logf("killed after %v: %s", after, said)
		require.NoError(t, err, said)
		require.NoError(t, check(t, cfg.Out, c), said)
		begun, done := map[string]int{}, map[string]int{}
		for _, x := range readLog(t, a.Log) {
			if looks[x.Tool] {
				continue
			}
			if x.Begun {
				begun[x.ID]++
			}
			if x.Done {
				done[fmt.Sprintf("%s %v %v", x.Tool, x.Parameters["name"], x.Parameters["path"])]++
			}
		}
		for id, n := range begun {
			assert.Equal(t, 1, n, "the command %s", id)
		}
		for _, act := range []string{"click_input Finish <nil>", "select_menu <nil> [Insert Chart]", "click_input Save <nil>"} {
			assert.Equal(t, 1, done[act], "%s: %v", act, done)
		}
	}
	t.Logf("%d of %d killed", killed, runs)
	assert.GreaterOrEqual(t, 2*killed, runs)
}
