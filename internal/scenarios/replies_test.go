package scenarios_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/replycases"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// fewest is how many cases the corpus must have.
const fewest = 150

// plain has a field of each type, for the cases that are about none of the agents.
type plain struct {
	Text    string          `json:"text,omitempty"`
	Number  float64         `json:"number,omitempty"`
	Count   int             `json:"count,omitempty"`
	Flag    bool            `json:"flag,omitempty"`
	List    []string        `json:"list,omitempty"`
	Numbers []int           `json:"numbers,omitempty"`
	Any     any             `json:"any,omitempty"`
	Raw     json.RawMessage `json:"raw,omitempty"`
	Map     map[string]any  `json:"map,omitempty"`
	Inner   *part           `json:"inner,omitempty"`
	Items   []part          `json:"items,omitempty"`
}

type part struct {
	Name string `json:"name,omitempty"`
	Next *part  `json:"next,omitempty"`
}

// The corpus is data: each file of testdata/replies has replies as models write
// them, and what must come of each. See package replycases for its form.
func TestScenario25_Replies(t *testing.T) {
	cases := readReplies(t)
	assert.GreaterOrEqual(t, len(cases), fewest)
	names := map[string]bool{}
	for _, c := range cases {
		name := c.File + ": " + c.Name
		assert.False(t, names[name], "%s is there twice", name)
		names[name] = true
		assert.NotEqual(t, c.Wants == "", c.FedBack == "", "%s: a reply is understood or fed back", name)
		t.Run(name, func(t *testing.T) {
			got := understand(t, c.Kind, c.Reply)
			if c.FedBack != "" {
				assert.Empty(t, string(got.decision))
				assert.Contains(t, got.fedBack, c.FedBack)
				return
			}
			require.Empty(t, got.fedBack)
			assert.Equal(t, exactly(t, c.Wants), exactly(t, string(got.decision)))
			assert.Equal(t, c.Repairs, got.repairs)
		})
	}
}

func readReplies(t testing.TB) []replycases.Case {
	t.Helper()
	cases, err := replycases.Read(filepath.Join("..", "..", "testdata", "replies"))
	require.NoError(t, err)
	return cases
}

// exactly decodes JSON and keeps the digits of its numbers.
func exactly(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), text)
	return v
}

// understood is what came of a reply.
type understood struct {
	decision json.RawMessage
	repairs  []string
	fedBack  string // the reason that the model was given
}

// understand gives a reply to an agent as its second, or decodes a plain one.
func understand(t *testing.T, kind, reply string) understood {
	t.Helper()
	if kind == "plain" {
		got, repairs, err := llm.Decode[plain](reply)
		if err != nil {
			return understood{fedBack: err.Error()}
		}
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		return understood{decision: raw, repairs: kindsOf(repairs)}
	}
	step, requests := firstStep(t, kind, reply)
	require.NotEmpty(t, requests)
	var got understood
	if step.Calls > 1 {
		require.Len(t, requests, 2)
		raw, ok := llm.FindSection(requests[1], "last_error")
		require.True(t, ok, "the reason is in the next prompt")
		require.NoError(t, json.Unmarshal(raw, &got.fedBack))
		shown, ok := llm.FindSection(requests[1], "refused_reply")
		require.True(t, ok, "the reply is in the next prompt, %s", shown)
		_, ok = llm.FindSection(requests[1], "allowed_statuses")
		require.True(t, ok, "what is allowed is in the next prompt")
		return got
	}
	require.NoError(t, step.Err)
	got.decision = step.Decision
	for _, r := range step.Repairs {
		assert.Positive(t, r.Count)
		got.repairs = append(got.repairs, r.Kind)
	}
	return got
}

func kindsOf(repairs []llm.Repair) []string {
	var list []string
	for _, r := range repairs {
		list = append(list, r.Kind)
	}
	return list
}

// firstStep is the first step of a round whose model gives this reply, and then
// FINISH, and what the model was asked in it.
func firstStep(t *testing.T, kind, reply string) (round.Step, []*llm.Request) {
	t.Helper()
	word := &desktoptest.App{Root: "word", Process: "report", Title: "report.docx - Word", Running: true, Controls: []desktop.Control{
		{ID: "1", Name: "Save", Type: "Button"}, {ID: "3", Name: "Title", Type: "Edit", Value: "Sales"},
	}}
	desk := desktoptest.New(t, word, &desktoptest.App{Root: "excel", Process: "book", Title: "Book1 - Excel", Running: true})
	var requests []*llm.Request
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		requests = append(requests, req)
		switch len(requests) {
		case 1: // something was done before, so that a FINISH need not say what
			return &llm.Response{Text: `{"Status": "CONTINUE", "Function": "wait", "Args": {"seconds": 0}}`}, nil
		case 2:
			return &llm.Response{Text: reply}, nil
		}
		return &llm.Response{Text: `{"Status": "FINISH"}`}, nil
	})
	var agent fsm.Worker
	var err error
	switch kind {
	case "app":
		window, ok := word.Window()
		require.True(t, ok)
		agent, err = appagent.New(appagent.Config{Model: model, Desktop: desk, Window: window, User: &person{}})
	case "host":
		agent, err = hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk, User: &person{}}})
	default:
		require.Fail(t, "there is no kind "+kind)
	}
	require.NoError(t, err)
	r, err := round.New(agent, "do it", nil)
	require.NoError(t, err)
	steps := 0
	for step, err := range r.Steps(t.Context()) {
		require.NoError(t, err)
		if steps++; steps == 2 {
			return step, requests[1:]
		}
	}
	require.Fail(t, "the round made no step")
	return round.Step{}, nil
}

func repairsOf(step round.Step) []string {
	var list []string
	for _, r := range step.Repairs {
		list = append(list, r.Kind)
	}
	return list
}

// FuzzReply gives any text to an agent as its model's reply. It is understood or
// fed back, never both; what is understood has a status that the table allows,
// and is understood again, as the same and without a repair, when it is written
// as JSON.
func FuzzReply(f *testing.F) {
	for i, c := range readReplies(f) {
		if c.Kind != "plain" && i%sample.Every(5) == sample.Every(5)-1 { // TestScenario25_Replies takes others
			f.Add(c.Kind == "host", c.Reply)
		}
	}
	f.Fuzz(func(t *testing.T, host bool, reply string) {
		kind := "app"
		if host {
			kind = "host"
		}
		got := understand(t, kind, reply)
		if got.decision == nil {
			assert.NotEmpty(t, got.fedBack)
			return
		}
		assert.Empty(t, got.fedBack)
		var d struct{ Status fsm.Status }
		require.NoError(t, json.Unmarshal(got.decision, &d))
		assert.Equal(t, fsm.ParseStatus(string(d.Status)), d.Status)
		if len(got.decision) > acting.MaxOutput {
			return // the record of a step may cut it
		}
		again := understand(t, kind, string(got.decision))
		assert.Empty(t, again.fedBack)
		assert.Empty(t, again.repairs)
		assert.JSONEq(t, string(got.decision), string(again.decision))
	})
}
