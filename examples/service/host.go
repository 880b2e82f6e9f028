package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/office/kept"
	"github.com/agentfsm/agentfsm/examples/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// job is the meta of a run: with which files it works.
type job struct {
	In  string `json:"in,omitempty"` // "": the sample
	Out string `json:"out"`
}

// read reads the meta of a run. It comes from a client, so its names lead out of no folder.
func read(meta json.RawMessage) (job, error) {
	var j job
	if len(meta) == 0 {
		return j, errors.New("the run has no meta, which names its workbook")
	}
	if err := json.Unmarshal(meta, &j); err != nil {
		return j, fmt.Errorf("the meta of the run: %w", err)
	}
	for _, name := range []string{j.In, j.Out} {
		if name != "" && (!filepath.IsLocal(name) || filepath.Base(name) != name) {
			return j, fmt.Errorf("the meta of the run: %q is no name of a file", name)
		}
	}
	if !strings.EqualFold(filepath.Ext(j.Out), ".xlsx") {
		return j, fmt.Errorf("the meta of the run: out is %q, and must end in .xlsx", j.Out)
	}
	return j, nil
}

// workshop makes the agents of runs.
type workshop struct {
	dir      string
	executed func(ctx context.Context, run, tool string) // on the desktop of a run
}

// agent makes the host of a run, the same one in each process. It is Config.Agent.
func (w workshop) agent(ctx context.Context, run durable.State) (fsm.Worker, func(), error) {
	j, err := read(run.Meta)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", runs.ErrAside, err)
	}
	in, out := "", filepath.Join(w.dir, j.Out)
	if j.In != "" {
		in = filepath.Join(w.dir, j.In)
	}
	file := desktopFile(w.dir, run.Run)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, nil, err
	}
	screen, err := kept.Open(ctx, office.File(in), file, func(ctx context.Context, tool string) { w.executed(ctx, run.Run, tool) })
	if err != nil {
		return nil, nil, err
	}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model:     slow(rules.Model()),
			Desktop:   screen,
			User:      people.Later(), // every question suspends the run
			Policy:    policies.All(askBeforeReplacing(out), policies.AskUncertain()),
			MaxMemory: maxSteps, // the rules need all that was done
		},
		Apps:   []hostagent.Program{office.Excel(out)},
		States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}),
	})
	return host, func() { _ = screen.Close() }, err
}

// desktopFile has what was done on the desktop of a run. Ids may have any bytes, names of files may not.
func desktopFile(dir, run string) string {
	sum := sha256.Sum256([]byte(run))
	return filepath.Join(dir, "desktops", hex.EncodeToString(sum[:16])+".jsonl")
}

// maxSteps is enough for a document with hundreds of tables.
const maxSteps = 200

// bounds are those with which runs start.
func bounds() *round.Options { return &round.Options{MaxSteps: maxSteps, MaxTransitions: 2 * maxSteps} }

// slow is a model that takes its time, as real ones do.
func slow(m llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		select {
		case <-time.After(50 * time.Millisecond):
			return m.Complete(ctx, req)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	})
}

// askBeforeReplacing wants a person's word before a file is replaced.
func askBeforeReplacing(out string) policies.Func {
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if overwrite, _ := cmd.Parameters["overwrite"].(bool); overwrite && tool.Name == office.Save {
			return policies.Verdict{Action: policies.Confirm, Reason: out + " exists and would be replaced"}
		}
		return policies.Verdict{Action: policies.Allow}
	}
}
