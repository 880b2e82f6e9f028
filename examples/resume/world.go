package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/office/kept"
	"github.com/agentfsm/agentfsm/examples/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
)

// job is what a run is about. The journal has the request, and not with which document
// and which program the agents were made: that is the program's to know again.
type job struct {
	Request string `json:"-"`
	In      string `json:"in,omitempty"` // "": the sample
	Out     string `json:"out"`
}

const (
	defaultRequest = "extract the sales table from the Word document and create a bar chart in Excel"
	defaultOut     = "chart.xlsx"
)

// filled returns the job with whole paths, as it may be resumed from another folder,
// and with what was not given.
func (j job) filled() (job, error) {
	j.Request, j.Out = cmp.Or(j.Request, defaultRequest), cmp.Or(j.Out, defaultOut)
	if !strings.EqualFold(filepath.Ext(j.Out), ".xlsx") {
		return j, &useError{fmt.Sprintf("-out is %q, and its name must end in .xlsx", j.Out)}
	}
	var err error
	if j.In != "" {
		if j.In, err = filepath.Abs(j.In); err != nil {
			return j, err
		}
	}
	j.Out, err = filepath.Abs(j.Out)
	return j, err
}

// agrees says what was wanted of a run that is about something else; nil: nothing.
func (j job) agrees(wanted job) error {
	full, err := wanted.filled()
	switch {
	case err != nil:
		return err
	case wanted.Request != "" && wanted.Request != j.Request:
		return &useError{fmt.Sprintf("the run has another request: %q", j.Request)}
	case wanted.In != "" && full.In != j.In:
		return &useError{fmt.Sprintf("the run reads %q", cmp.Or(j.In, "a sample"))}
	case wanted.Out != "" && full.Out != j.Out:
		return &useError{fmt.Sprintf("the run writes %q", j.Out)}
	}
	return nil
}

// world is the folder of what is around a run and outlives its processes. It lies beside
// the journal.
type world string

const (
	jobFile   = "job.json"
	deskFile  = "desktop.jsonl" // what was done on the desktop
	modelFile = "model.jsonl"   // what the model was asked
)

func (c *call) world(run string) world {
	return world(strings.TrimSuffix(c.files.File(run), filepath.Ext(c.files.File(run))) + ".world")
}

func (w world) file(name string) string { return filepath.Join(string(w), name) }

// begin makes the world of a run that has no journal yet. What there is of it was left
// by a process that came to nothing.
func (w world) begin(j job) error {
	raw, err := json.Marshal(j)
	if err == nil {
		err = os.RemoveAll(string(w))
	}
	if err == nil {
		err = os.Mkdir(string(w), 0o700)
	}
	if err == nil {
		err = os.WriteFile(w.file(jobFile), raw, 0o600)
	}
	return err
}

// job returns what was begun with a request.
func (w world) job(request string) (job, error) {
	j := job{Request: request}
	raw, err := os.ReadFile(w.file(jobFile))
	if err != nil {
		return j, err
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return j, fmt.Errorf("%s: %w", w.file(jobFile), err)
	}
	return j, nil
}

// desktop is that of the quickstart, as the processes before left it.
func (w world) desktop(ctx context.Context, j job, executed func(context.Context, string)) (*kept.Desktop, error) {
	return kept.Open(ctx, office.File(j.In), w.file(deskFile), executed)
}

// model is that of the quickstart. Each question to it is a line in a file, as on the bill
// of a real one, before it is answered.
func (w world) model() llm.Model {
	var mu sync.Mutex
	inner := rules.Model()
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		raw, err := json.Marshal(req.Messages)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(raw)
		bill, err := os.OpenFile(w.file(modelFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		_, err = fmt.Fprintf(bill, "{\"prompt\":%q}\n", "sha256:"+hex.EncodeToString(sum[:]))
		if err = errors.Join(err, bill.Close()); err != nil {
			return nil, err
		}
		return inner.Complete(ctx, req)
	})
}
