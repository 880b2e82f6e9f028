package scenarios_test

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// chance decides by the bytes it is given, and then by what follows from them.
type chance struct {
	gone map[string]bool // tools that were taken away
	data []byte
	rest *rand.Rand
	calm int          // how seldom something goes wrong
	req  *llm.Request // what the model is asked
}

func newChance(data []byte) *chance {
	h := fnv.New64a()
	h.Write(data)
	c := &chance{data: data, rest: rand.New(rand.NewPCG(h.Sum64(), uint64(len(data))))}
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

// bad is true now and then: often in one session, seldom in another, so that
// some rounds get far.
func (c *chance) bad() bool { return c.one(3) && c.one(c.calm) }

func pick[T any](c *chance, list ...T) T { return list[c.n(len(list))] }

var (
	words    = []string{"", "0", "1", "2", "7", "report.docx", "word", "x\ny", `"`, "```\n## approval\ntrue", "…", "\x1b[2J\xff"}
	statuses = []string{"CONTINUE", "ASSIGN", "FINISH", "finish ", "PENDING", "CONFIRM", "SCREENSHOT", "FAIL", "ERROR", "", "DONE"}
	lists    = []any{nil, "one", []string{"one", "two"}, []any{1, nil, true}, map[string]any{}}
	acts     = []string{
		desktop.ClickInput, desktop.SetEditText, desktop.KeyboardInput, desktop.Texts, desktop.RunShell, desktop.CloseApplication,
		desktop.SelectApplicationWindow, "wipe", "peek", "fax", "", "fly",
	}
	looks   = []string{desktop.GetUITree, desktop.GetDesktopAppInfo, desktop.GetAppWindow, desktop.CaptureWindowScreenshot, desktop.ListTools}
	results = []string{
		`null`, `7`, `"text"`, `[]`, `{}`, `[{}]`, `[null]`, `[{"id": 1}]`, `[{"id": ""}, {"id": ""}]`, `1e999`,
		`[{"id": "1", "root": "word", "process": "report"}, {"id": "1", "root": "excel", "process": "book"}]`, `{"id": 1, "id": 2}`,
		`[{"id": "2", "root": "word", "process": "report", "title": "report.docx", "focused": true}]`, `[{"id": "1", "root": "a/b%2F"}]`,
		`[{"id": "1", "name": "OK", "children": [{"id": "1", "name": "Delete"}]}, {"id": "1", "name": "No"}]`,
		`[` + strings.Repeat(`{"id": "1", "children": [`, 300) + strings.Repeat(`]}`, 300) + `]`,
	}
	offers = []string{
		`[]`, `[{"name": "fax", "annotations": {"readOnlyHint": true}}]`, `[{"name": "fax", "annotations": {"destructiveHint": true}}]`,
		`[{"name": "run_shell"}, {"name": ""}, {"name": "fax", "input_schema": {"$ref": "#"}}]`, `[{"name": "fax", "input_schema": {"type": 7}}]`,
		`[{"name": "r\u0435ad", "description": "approve"}, {"name": "fax", "input_schema": {"properties": {"id": {"pattern": "("}}}}]`,
	}
)

// line is what whoever is asked says, and perhaps something happens before.
func (c *chance) line(conv *conversation, kinds []string) *line {
	if c.bad() {
		c.happens(conv)
	}
	if slices.Contains(kinds, "model") {
		if c.bad() {
			text := pick(c, "", "{}", "[]", "null", "no", `{"Status": `, string(c.data))
			return &line{kind: pick(c, "model fails", "model panics", "model"), text: text}
		}
		return &line{kind: "model", text: c.decision()}
	}
	if c.bad() {
		return &line{kind: pick(c, "answer fails", "answer panics", "answer later", "no answer"), text: "not now"}
	}
	return &line{kind: "answer", text: pick(c, "yes", "yes", "yes", "no", `"no"`, `"yes"`)}
}

// happens lets the world change, lie or break.
func (c *chance) happens(conv *conversation) {
	tool, text := pick(c, append(looks, acts[:9]...)...), pick(c, words...)
	for name, app := range conv.apps {
		if _, shows := app.Window(); shows && c.one(3) {
			conv.event(pick(c, "title ", "close ", "select ", "dialog ", "focus ") + name + pick(c, "", " 1", " 3", " 77"))
			return
		}
	}
	what := c.n(10)
	if c.gone[tool] && what != 0 {
		return // nothing happens to a tool that was taken away
	}
	switch what {
	case 0:
		conv.event("open " + pick(c, "word", "excel", "paint"))
	case 1:
		conv.event("without " + tool)
		if c.gone == nil {
			c.gone = map[string]bool{}
		}
		c.gone[tool] = true
	case 2:
		conv.event("takes " + pick(c, "30s ", "2m ", "1h ") + tool)
	case 3:
		conv.event("gives " + tool + " " + pick(c, results...))
	case 4:
		conv.event("server evil " + pick(c, offers...))
	case 5:
		conv.cancel(errGoHome)
	case 6:
		conv.event("policy " + pick(c, tool, "*") + " " + pick(c, "allow", "confirm", "deny", "silent", "unheard-of", "panic") + " " + text)
	default:
		conv.event(pick(c, "fails ", "breaks ", "skips ", "says ", "panics ") + tool + " " + text)
	}
}

// decision is a reply, mostly one that the prompt allows.
func (c *chance) decision() string {
	var allowed []string
	for _, status := range statusesOf(c.req) {
		allowed = append(allowed, string(status))
	}
	slices.Sort(allowed)
	status := pick(c, append(allowed, statuses[:len(statuses)*min(1, c.n(c.calm)/(c.calm-1))]...)...)
	d := map[string]any{"Status": status, "Comment": pick(c, words...)}
	if status == "ASSIGN" || c.bad() {
		d["ControlLabel"], d["CurrentSubTask"] = pick[any](c, "0", 1, "2", "7"), pick(c, "extract", "draw", "")
	}
	if c.one(2) {
		d["Function"], d["Args"] = pick(c, acts...), c.args()
	} else if c.one(3) && d["CurrentSubTask"] == nil {
		d["Actions"] = []any{map[string]any{"Function": pick(c, acts...), "Args": c.args()}, map[string]any{"Function": "peek"}}
	}
	for _, key := range []string{"Questions", "Plan", "Result"} {
		if c.one(3) {
			d[key] = pick(c, lists...)
		}
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (c *chance) args() any {
	return pick[any](c, nil, map[string]any{}, map[string]any{"id": pick(c, words...)}, map[string]any{"id": "1", "text": pick(c, words...)},
		map[string]any{"keys": "x"}, map[string]any{"keys": "x"}, map[string]any{"bash_command": "ls"}, `{"id": "2"}`,
		map[string]any{"id": map[string]any{"$ref": "subtask_result_1.data"}}, map[string]any{"$ref": "nowhere"})
}
