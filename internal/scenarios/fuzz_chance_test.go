package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// chance decides by the bytes it is given, and then by what follows from them.
type chance struct {
	data   []byte
	rest   *rand.Rand
	cancel func()
	calm   int // how seldom something goes wrong
}

func newChance(data []byte) *chance {
	h := fnv.New64a()
	h.Write(data)
	c := &chance{data: data, rest: rand.New(rand.NewPCG(h.Sum64(), uint64(len(data)))), cancel: func() {}}
	c.calm = pick(c, 2, 5, 20, 100)
	return c
}

func (c *chance) n(n int) int {
	if len(c.data) > 0 {
		b := c.data[0]
		c.data = c.data[1:]
		return int(b) % n
	}
	return c.rest.IntN(n)
}

// one is true once in n.
func (c *chance) one(n int) bool { return c.n(n) == n-1 }

func pick[T any](c *chance, list ...T) T { return list[c.n(len(list))] }

var (
	words = []string{"", "0", "1", "2", "7", "report.docx", "word", "subtask_1", "x\ny", `"`, "```", "…"}
	tools = []string{
		"", "", "", desktop.ClickInput, desktop.SetEditText, desktop.KeyboardInput, desktop.Texts, desktop.RunShell,
		desktop.CloseApplication, desktop.SelectApplicationWindow, desktop.GetUITree, "select_application", "fly",
	}
	lists    = []any{nil, "one", []string{"one", "two"}, []any{1, nil, true}, map[string]any{}}
	statuses = []string{
		"CONTINUE", "CONTINUE", "ASSIGN", "ASSIGN", "ASSIGN", "FINISH", "FINISH", "finish ", "PENDING", "CONFIRM", "SCREENSHOT",
		"FAIL", "ERROR", "", "DONE",
	}
)

func (c *chance) args() any {
	return pick[any](c, nil, map[string]any{}, map[string]any{"id": pick(c, words...)}, map[string]any{"id": "1", "text": pick(c, words...)},
		map[string]any{"keys": "x"}, map[string]any{"bash_command": "ls"}, `{"id": "2"}`,
		map[string]any{"id": map[string]any{"$ref": "subtask_result_1.data"}}, map[string]any{"$ref": "nowhere"})
}

// bad is true now and then: often in one session, seldom in another, so that
// some rounds get far.
func (c *chance) bad() bool { return c.one(3) && c.one(c.calm) }

// complete is the model.
func (c *chance) complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	usage := llm.Usage{InputTokens: c.n(30), OutputTokens: c.n(10)}
	if c.bad() {
		switch c.n(8) {
		case 0:
			return nil, errBang
		case 1:
			return nil, nil
		case 2:
			panic("the model falls over")
		case 3:
			c.cancel()
			return nil, ctx.Err()
		case 4:
			c.cancel()
		case 5:
			return &llm.Response{Text: string(c.data), Usage: usage}, nil
		default:
			return &llm.Response{Text: pick(c, "", "{}", "[]", "null", "no", `{"Status": `, `{"Status": "FINISH"} {"Status": "FAIL"}`), Usage: usage}, nil
		}
	}
	status := c.allowed(req)
	if c.bad() {
		status = pick(c, statuses...)
	}
	d := map[string]any{"Status": status, "Comment": pick(c, words...)}
	if status == string(hostagent.Assign) || c.bad() {
		d["ControlLabel"], d["CurrentSubTask"] = pick[any](c, "0", 1, "2"), pick(c, "extract", "draw")
		if c.bad() {
			d["ControlLabel"], d["CurrentSubTask"] = pick(c, words...), pick(c, words...)
		}
	}
	if c.one(2) {
		maps.Copy(d, c.action())
	} else if c.one(3) && d["CurrentSubTask"] == nil {
		d["Actions"] = []any{c.action(), c.action()}
	}
	add := func(key string, value any) {
		if c.one(3) {
			d[key] = value
		}
	}
	add("Questions", pick(c, lists...))
	add("Plan", pick(c, lists...))
	add("Result", c.args())
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return &llm.Response{Text: string(raw), Usage: usage}, nil
}

// action is a call, mostly of a tool that there is.
func (c *chance) action() map[string]any {
	if c.bad() {
		return map[string]any{"Function": pick(c, tools...), "Args": c.args()}
	}
	return pick(c,
		map[string]any{"Function": desktop.KeyboardInput, "Args": map[string]any{"keys": "x"}},
		map[string]any{"Function": desktop.SetEditText, "Args": map[string]any{"id": "1", "text": "x"}},
		map[string]any{"Function": desktop.RunShell, "Args": map[string]any{"bash_command": "ls"}},
		map[string]any{"Function": desktop.Texts, "Args": map[string]any{"id": "9"}}, // which fails
	)
}

// allowed picks one of the statuses that the prompt offers.
func (c *chance) allowed(req *llm.Request) string {
	raw, _ := llm.FindSection(req, "allowed_statuses")
	var list []string
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return pick(c, list...)
}

// answer is the person.
func (c *chance) answer(context.Context, people.Question) (people.Answer, error) {
	if c.bad() {
		switch c.n(4) {
		case 0:
			return people.Answer{}, errBang
		case 1:
			return people.Answer{}, fmt.Errorf("later: %w", fsm.ErrSuspend)
		case 2:
			c.cancel()
		default:
			panic("the person leaves")
		}
	}
	return people.Answer{Text: pick(c, words...), Approved: c.n(4) > 0}, nil
}
