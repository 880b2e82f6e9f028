// Package program is the quickstart but for the command: [Run] runs it with any model, and [Rules] are one.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// DefaultRequest is the request if the flags have none.
const DefaultRequest = "extract the sales table from the Word document and create a bar chart in Excel"

// settings are the flags.
type settings struct {
	in, out, request, jsonl string
	confirm                 person.Consent
}

// Run runs the program and returns its exit status: 0 after FINISH, 1 after anything else, 2 for wrong flags.
func Run(ctx context.Context, args []string, c person.Console, model llm.Model) int {
	s := settings{confirm: person.Ask}
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.StringVar(&s.in, "in", "", "`FILE.docx` to read; empty: a sample")
	flags.StringVar(&s.out, "out", "chart.xlsx", "`FILE.xlsx` to write")
	flags.StringVar(&s.request, "request", DefaultRequest, "what to do, as `TEXT`")
	flags.StringVar(&s.jsonl, "jsonl", "", "`FILE` for each step and the result, as lines of JSON")
	flags.Var(&s.confirm, "confirm", "whether a file may be replaced: ask, yes or no")
	status, ok := person.Parse(flags, args, c, func() error {
		if !strings.EqualFold(filepath.Ext(s.out), ".xlsx") || strings.TrimSpace(s.request) == "" {
			return errors.New("-out must end in .xlsx, and -request must not be empty")
		}
		return nil
	})
	if !ok {
		return status
	}
	result, err := work(ctx, s, c, model)
	switch {
	case err != nil && result.Outcome != "":
		fmt.Fprintf(c.Err, "%s: %s\n", result.Outcome, result.Reason)
		return 1
	case err != nil:
		fmt.Fprintln(c.Err, "quickstart:", err)
		return 1
	}
	fmt.Fprintln(c.Out, result.Answer)
	return 0
}

// work runs one round of a host on the two applications.
func work(ctx context.Context, s settings, c person.Console, model llm.Model) (result round.Result, err error) {
	screen, err := screen(s.in, s.out)
	if err != nil {
		return result, err
	}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, Desktop: screen, MaxMemory: maxSteps,
			User:   &person.Person{Console: c, Confirm: s.confirm},
			Policy: askBeforeReplacing(s.out),
		},
		// The model may give up without asking a person.
		States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}),
	})
	if err != nil {
		return result, err
	}
	steps := []func(round.Step){func(step round.Step) { fmt.Fprintf(c.Out, "%s:%s\n", step.NextAgent, step.To) }}
	if s.jsonl != "" {
		file, failed := os.Create(s.jsonl)
		if failed != nil {
			return result, fmt.Errorf("-jsonl: %w", failed)
		}
		defer func() { err = errors.Join(err, round.JSONLResult(file, result), file.Close()) }()
		steps = append(steps, round.JSONL(file))
	}
	r, err := round.New(host, s.request, &round.Options{MaxSteps: maxSteps, Observe: observe.All(steps...)})
	if err != nil {
		return result, err
	}
	return r.Run(ctx)
}

// maxSteps is enough for a document with hundreds of tables.
const maxSteps = 200

// askBeforeReplacing is the policy: the only act that needs approval replaces a file.
func askBeforeReplacing(path string) policies.Func {
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if overwrite, _ := cmd.Parameters["overwrite"].(bool); overwrite && tool.Name == "save_workbook" {
			return policies.Verdict{Action: policies.Confirm, Reason: path + " exists and would be replaced"}
		}
		return policies.Verdict{Action: policies.Allow}
	}
}
