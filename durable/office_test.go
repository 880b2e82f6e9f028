package durable_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// office is what outlives a process: a document, a model, and a store of journals.
type office struct {
	t     *testing.T
	desk  *desktoptest.Desktop
	word  *desktoptest.App
	store store.Store
	user  people.User // nil: who answers later
	sent  []string
	calls int
}

func newOffice(t *testing.T) *office {
	o := &office{t: t, store: store.Memory()}
	o.word = &desktoptest.App{
		Root: "word", Process: "letter", Title: "letter", Running: true,
		Controls: []desktop.Control{{ID: "sent", Name: "sent", Type: "Text", Value: "no"}},
		Tools: []desktoptest.Tool{{
			Name: "send", Schema: `{"type":"object","properties":{"to":{"type":"string"},"pin":{"type":"string","format":"password"}}}`,
			Annotations: desktop.Annotations{DestructiveHint: true},
			Run: func(_ context.Context, c desktoptest.Call) (any, error) {
				o.sent = append(o.sent, fmt.Sprint(c.Params["to"]))
				o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "yes" })
				return "sent", nil
			},
		}},
	}
	o.desk = desktoptest.New(t, o.word)
	return o
}

// agent asks who and when, sends the letter, and is done.
func (o *office) agent() *appagent.Agent {
	o.t.Helper()
	model := func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		o.calls++
		text := `{"Status":"PENDING","Questions":["To whom?","When?"]}`
		answers, answered := llm.FindSection(req, "answers")
		switch {
		case o.word.Value("sent") == "yes":
			text = `{"Status":"FINISH","Result":"it is sent"}`
		case answered && strings.Contains(string(answers), "Bob"):
			text = `{"Status":"CONTINUE","Function":"send","Args":{"to":"Bob","pin":"31415926"}}`
		case answered:
			text = `{"Status":"CONTINUE","Function":"send","Args":{"to":"Ann","pin":"31415926"}}`
		}
		return &llm.Response{Text: text, Model: "m", Usage: llm.Usage{InputTokens: 2, OutputTokens: 1}}, nil
	}
	user := o.user
	if user == nil {
		user = people.Later()
	}
	a, err := appagent.New(appagent.Config{
		Model: llm.ModelFunc(model), Desktop: o.desk, NoImages: true,
		Window: desktop.Window{ID: "1", Root: "word", Process: "letter"},
		User:   user,
	})
	require.NoError(o.t, err)
	return a
}

// begin is the first process of the run.
func (o *office) begin() (round.Result, error) {
	o.t.Helper()
	s, err := durable.Open(o.t.Context(), o.agent(), o.store, "run", nil)
	require.NoError(o.t, err)
	return s.Run(o.t.Context(), "send the letter")
}

// goOn is another one.
func (o *office) goOn(run string) (round.Result, error) {
	o.t.Helper()
	s, err := durable.Open(o.t.Context(), o.agent(), o.store, run, &durable.Options{Existing: true})
	require.NoError(o.t, err)
	return s.Round().Run(o.t.Context())
}

var answered = people.Answer{Text: "yes", Approved: true}
