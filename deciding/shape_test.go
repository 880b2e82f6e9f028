package deciding_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// The schema of a type and its statuses is made once, for all requests.
func TestAskSchemaIsMadeOnce(t *testing.T) {
	type shaped struct {
		Status fsm.Status
	}
	ask := func(allowed ...string) (schema *llm.Schema) {
		t.Helper()
		var statuses []fsm.Status
		for _, s := range allowed {
			statuses = append(statuses, fsm.Status(s))
		}
		_, err := deciding.Ask(t.Context(), deciding.Inquiry[shaped]{
			Model: llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
				assert.Contains(t, string(req.Schema.JSON), `"enum":["`+strings.Join(allowed, `","`)+`"]`)
				schema = req.Schema
				return &llm.Response{Text: fmt.Sprintf(`{"Status": %q}`, allowed[0])}, nil
			}),
			Allowed: statuses,
		})
		require.NoError(t, err)
		return schema
	}
	first := ask("A", "BC")
	other := ask("AB", "C")
	assert.Same(t, first, ask("A", "BC"))
	assert.Same(t, other, ask("AB", "C"))
	assert.NotSame(t, first, other)
	for i := range 1100 { // more than are remembered
		ask(fmt.Sprintf("S%d", i))
	}
	ask("A", "BC")
}

// The model is told of what is offered, and what else the table allows is taken.
func TestAskOffers(t *testing.T) {
	type Kinds struct {
		Kind string `json:",omitempty" enum:"a,b"`
	}
	type decision struct {
		Status fsm.Status
		Kinds  // for which the whole is checked against a schema
	}
	model := llmtest.Script(t, `{"Status": "DONE"}`, `{"Status": "PENDING"}`)
	got, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: model, Sections: []llm.Section{{Name: "request", Value: "go"}},
		Allowed: []fsm.Status{fsm.Continue, fsm.Fail, fsm.Pending}, Offered: []fsm.Status{fsm.Continue, fsm.Fail},
	})
	require.NoError(t, err)
	assert.Equal(t, fsm.Pending, got.Status)
	for _, req := range model.Requests() {
		var schema struct {
			Properties struct{ Status struct{ Enum []fsm.Status } }
		}
		require.NoError(t, json.Unmarshal(req.Schema.JSON, &schema))
		assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Fail}, schema.Properties.Status.Enum)
		assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Fail}, llmtest.Section[[]fsm.Status](t, req, "allowed_statuses"))
	}
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "last_error"), "allowed are CONTINUE, FAIL")
}

func TestAskChecksEnumTags(t *testing.T) {
	type ticket struct {
		Queue string `json:"queue" enum:"billing,tech"`
		Note  string `json:"note,omitempty" enum:"urgent,later"`
	}
	model := llmtest.Script(t, `{"queue":"nonsense"}`, `{"note":"urgent"}`, `{"queue":"tech"}`)
	got, err := deciding.Ask(t.Context(), deciding.Inquiry[ticket]{
		Model: model, Sections: []llm.Section{{Name: "mail", Value: "it is broken"}},
	})
	require.NoError(t, err)
	assert.Equal(t, ticket{Queue: "tech"}, got)
	for i, why := range map[int]string{1: "queue", 2: "queue"} {
		assert.Contains(t, llmtest.Section[string](t, model.Requests()[i], "last_error"), why)
	}
}

func TestAskWithoutStatuses(t *testing.T) {
	type plain struct {
		Room string `json:"Room"`
	}
	model := llmtest.Script(t, "no", `{"Room": "Hopper"}`)
	d, err := deciding.Ask(t.Context(), deciding.Inquiry[plain]{Model: model, Sections: []llm.Section{{Name: "task", Value: 1}}})
	require.NoError(t, err)
	assert.Equal(t, "Hopper", d.Room)
	_, there := llm.FindSection(model.Last(), "allowed_statuses")
	assert.False(t, there)

	open, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: llmtest.Script(t, `{"Status": "whatever"}`)})
	require.NoError(t, err)
	assert.Equal(t, fsm.Status("whatever"), open.Status, "without Allowed it is left alone")
}

func TestAskTakesSections(t *testing.T) {
	model := llmtest.Script(t, `{"Status": "FINISH"}`)
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: model, Allowed: allowed,
		Sections: []llm.Section{{Name: "allowed_statuses", Value: "my words"}},
	})
	require.NoError(t, err)
	assert.Equal(t, "my words", llmtest.Section[string](t, model.Last(), "allowed_statuses"))

	model = llmtest.Script(t, `{"A": 1}`, `{"V": 1}`)
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[struct{ A int }]{Model: model})
	require.NoError(t, err)
	assert.Equal(t, "decision", model.Last().Schema.Name, "an unnamed type")
	_, err = deciding.Ask(t.Context(), deciding.Inquiry[box[int]]{Model: model})
	require.NoError(t, err)
	assert.Equal(t, "decision", model.Last().Schema.Name, "a type with arguments")
}

type box[T any] struct{ V T }

// Mistakes in a program are found before a model is asked.
func TestAskRefusesInquiries(t *testing.T) {
	type number struct{ Status int }
	m := llmtest.Script(t)
	for want, ask := range map[string]func() error{
		"has no field Status of a string type": func() error { return refused(t, deciding.Inquiry[struct{ A int }]{Model: m, Allowed: allowed}) },
		"number has no field Status":           func() error { return refused(t, deciding.Inquiry[number]{Model: m, Allowed: allowed}) },
		"no status is allowed here":            func() error { return refused(t, deciding.Inquiry[decision]{Model: m, Allowed: []fsm.Status{}}) },
		"llm: schema of int":                   func() error { return refused(t, deciding.Inquiry[int]{Model: m}) },
		`llm: section "x": `: func() error {
			return refused(t, deciding.Inquiry[decision]{Model: m, Sections: []llm.Section{{Name: "x", Value: func() {}}}})
		},
		"Offered has FINISH, and Allowed does not": func() error {
			return refused(t, deciding.Inquiry[decision]{Model: m, Allowed: allowed[:1], Offered: allowed})
		},
	} {
		require.ErrorContains(t, ask(), want)
	}
}

func refused[D any](t *testing.T, in deciding.Inquiry[D]) error {
	t.Helper()
	_, err := deciding.Ask(t.Context(), in)
	return err
}

func TestAskFindsStatusInEmbedded(t *testing.T) {
	type Base struct {
		Status fsm.Status `json:"state"`
	}
	type whole struct {
		Base
		Room string `json:"Room,omitempty"`
	}
	model := llmtest.Script(t, `{"Room": "Hopper"}`, `{"state": "finish"}`)
	d, err := deciding.Ask(t.Context(), deciding.Inquiry[whole]{Model: model, Allowed: allowed})
	require.NoError(t, err)
	assert.Equal(t, fsm.Finish, d.Status)
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "last_error"), "no Status")

	type pointed struct {
		*Base
		Room string `json:"Room,omitempty"`
	}
	model = llmtest.Script(t, `{"Room": "Hopper"}`, `{"state": "finish"}`)
	p, err := deciding.Ask(t.Context(), deciding.Inquiry[pointed]{Model: model, Allowed: allowed})
	require.NoError(t, err)
	assert.Equal(t, fsm.Finish, p.Status)
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "last_error"), "no Status")
}

type clerk struct{ fsm.Position }

var clerks = fsm.Table("Clerk", []fsm.Row[*clerk]{
	{Status: fsm.Continue}, {Status: fsm.Confirm}, {Status: fsm.Finish, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel | fsm.BySystem},
	fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser},
)

func (c *clerk) Name() string    { return "clerk" }
func (c *clerk) States() fsm.Set { return clerks }

func TestAllowed(t *testing.T) {
	c := &clerk{}
	c.SetStatus(fsm.Continue)
	assert.Equal(t, []fsm.Status{fsm.Confirm, fsm.Finish}, deciding.Allowed(c))
	c.SetStatus(fsm.Confirm)
	assert.Equal(t, []fsm.Status{}, deciding.Allowed(c), "nothing is not anything")
}
