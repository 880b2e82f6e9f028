package hostagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// chance makes up a conversation: replies of a model, answers of a person, tools
// that fail. The same seed gives the same choices.
type chance struct {
	*rand.Rand
	seen map[string]int // statuses and acts, so that a test can tell what came up
}

func newChance(seed uint64) *chance {
	return &chance{Rand: rand.New(rand.NewPCG(seed, 1)), seen: map[string]int{}}
}

func (c *chance) in(percent int) bool { return c.IntN(100) < percent }

func pick[T any](c *chance, list ...T) T { return list[c.IntN(len(list))] }

// Complete is a model that says anything that it may, and sometimes what it may not.
func (c *chance) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	if c.in(2) {
		return nil, fmt.Errorf("the model is down")
	}
	status := pick(c, sectionOf[[]fsm.Status](req, "allowed_statuses")...)
	if status == fsm.Fail || status == fsm.Finish && c.in(50) {
		status = fsm.Continue
	}
	reply := m{"Status": status, "Thought": strings.Repeat("hm <&> ", c.IntN(9)), "Comment": c.word()}
	c.seen[string(status)]++
	if status == fsm.Pending && c.in(70) {
		reply["Questions"] = []string{c.word(), c.word()}[:1+c.IntN(2)]
	}
	if status == fsm.Finish && c.in(60) {
		reply["Result"] = pick[any](c, "text", m{"rows": []int{1, 2}}, strings.Repeat("long ", 600))
	}
	if _, host := llm.FindSection(req, "windows"); host {
		c.host(req, reply, status)
	} else {
		c.app(req, reply)
	}
	text, err := json.Marshal(reply)
	return &llm.Response{Text: string(text)}, err
}

func (c *chance) word() string { return fmt.Sprintf("word-%d", c.IntN(1000)) }

func (c *chance) host(req *llm.Request, reply m, status fsm.Status) {
	planned := sectionOf[plan.Plan](req, "plan")
	switch {
	case planned.Enforced():
	case c.in(20):
		reply["Plan"] = []m{{"id": "a", "task": "first"}, {"id": "b", "task": "second", "depends_on": []string{"a"}}}
	case c.in(50):
		reply["Plan"] = []string{c.word()}
	}
	switch windows := sectionOf[[]m](req, "windows"); {
	case status == hostagent.Assign:
		chosen := pick(c, windows...)
		reply["ControlLabel"], reply["CurrentSubTask"], reply["Message"] = chosen["id"], c.word(), c.word()
		if planned.Enforced() || reply["Plan"] != nil {
			reply["CurrentSubTask"] = pick(c, "a", "b")
		}
	case c.in(25):
		c.act(reply, "select_application_window", m{"id": pick(c, windows...)["id"]})
	case c.in(25):
		c.act(reply, "note", m{"n": json.Number("12345678901234567890")})
	case c.in(10):
		reply["Bash"] = "ls && true"
	}
}

func (c *chance) app(_ *llm.Request, reply m) {
	if c.in(30) {
		reply["SaveScreenshot"] = c.word()
	}
	if c.in(30) {
		reply["Plan"] = []string{c.word(), c.word()}
	}
	switch c.IntN(5) {
	case 0:
		c.act(reply, "set_edit_text", m{"id": "3", "text": c.word()})
	case 1:
		c.seen["list"]++
		reply["Actions"] = []m{
			{"Function": "click_input", "ControlLabel": "1", "Args": m{}},
			{"Function": pick(c, "note", "wipe", "broken"), "Args": m{"ratio": 0.25}},
			{"Function": "click_input", "ControlLabel": "3", "Args": m{}},
		}
	case 2:
		c.act(reply, pick(c, "note", "wipe", "broken", "large", "unknown"), m{"to": c.word()})
	}
}

func (c *chance) act(reply m, tool string, args m) {
	c.seen[tool]++
	reply["Function"], reply["Args"] = tool, args
}

func (c *chance) Ask(_ context.Context, q people.Question) (people.Answer, error) {
	switch {
	case c.in(15):
		c.seen["suspended"]++
		return people.Answer{}, fsm.ErrSuspend
	case c.in(5):
		return people.Answer{}, fmt.Errorf("nobody is in")
	}
	return people.Answer{Text: c.word(), Approved: q.Command == nil || c.in(70)}, nil
}

func sectionOf[T any](req *llm.Request, name string) (v T) {
	if raw, ok := llm.FindSection(req, name); ok {
		_ = json.Unmarshal(raw, &v)
	}
	return v
}

// stage is a desktop with three applications, and tools that do what can happen.
func (c *chance) stage(t *testing.T) hostagent.Config {
	controls := []desktop.Control{{ID: "1", Name: "Save", Type: "Button"}, {ID: "3", Name: "Title", Type: "Edit"}}
	d := desktoptest.New(t,
		&desktoptest.App{Root: "word", Process: "a/b%", Title: "report", Running: true, Controls: controls},
		&desktoptest.App{Root: "mail", Process: "inbox", Title: "Inbox <1>", Running: true, Controls: controls},
		&desktoptest.App{Root: "excel", Process: "book", Title: "Book1", Controls: controls})
	d.AddTools(noteTool,
		desktoptest.Tool{Name: "wipe", Annotations: desktop.Annotations{DestructiveHint: true}},
		desktoptest.Tool{Name: "broken", Run: func(context.Context, desktoptest.Call) (any, error) { return nil, fmt.Errorf("out of order") }},
		desktoptest.Tool{Name: "large", Returns: strings.Repeat("0123456789", 500)})
	return hostagent.Config{
		Config: appagent.Config{
			Model: c, Desktop: d, User: c,
		},
		Apps: []hostagent.Program{{Name: "excel"}}, MaxReplans: -1,
	}
}
