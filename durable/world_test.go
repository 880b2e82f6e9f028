package durable_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// world is what outlives a process: a desktop with two applications, a model that
// decides by what it is shown, a person, and the store of the journal.
type world struct {
	t     *testing.T
	desk  *desktoptest.Desktop
	excel *desktoptest.App
	word  *desktoptest.App
	store *mortal

	mu    sync.Mutex
	calls int            // of the model
	done  map[string]int // executions by command
	rows  []string       // what is in the table
	lines []string       // and in the report
	words int            // lines of the report; 0: 10

	hesitates bool // no first reply of a step can be used
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, done: map[string]int{}, store: &mortal{Store: store.Memory()}}
	control := func(id string) desktop.Control { return desktop.Control{ID: id, Name: id, Type: "Text", Value: "0"} }
	w.excel = &desktoptest.App{Root: "excel", Process: "book", Title: "Book1", Running: true, Controls: []desktop.Control{control("rows")}, Tools: []desktoptest.Tool{
		{Name: "add_row", Schema: `{"type":"object","properties":{"n":{"type":"string"},"password":{"type":"string","format":"password"}}}`, Run: w.act(func(c desktoptest.Call) {
			w.rows = append(w.rows, fmt.Sprint(c.Params["n"]))
			w.excel.ChangeControl("rows", func(now *desktop.Control) { now.Value = fmt.Sprint(len(w.rows)) })
		})},
	}}
	w.word = &desktoptest.App{Root: "word", Process: "report", Title: "report", Running: true, Controls: []desktop.Control{control("lines"), control("published")}, Tools: []desktoptest.Tool{
		{Name: "add_line", Run: w.act(func(c desktoptest.Call) {
			w.lines = append(w.lines, fmt.Sprint(c.Params["text"]))
			w.word.ChangeControl("lines", func(now *desktop.Control) { now.Value = fmt.Sprint(len(w.lines)) })
		})},
		{Name: "publish", Annotations: desktop.Annotations{DestructiveHint: true}, Run: w.act(func(desktoptest.Call) {
			w.word.ChangeControl("published", func(now *desktop.Control) { now.Value = "1" })
		})},
	}}
	w.desk = desktoptest.New(t, w.excel, w.word)
	return w
}

// act counts the executions of a tool, none of which a dead process may cause.
func (w *world) act(do func(desktoptest.Call)) func(context.Context, desktoptest.Call) (any, error) {
	return func(_ context.Context, c desktoptest.Call) (any, error) {
		w.alive(c.Tool)
		w.mu.Lock()
		w.done[fmt.Sprint(c.Tool, c.Params)]++
		w.mu.Unlock()
		do(c)
		return "done", nil
	}
}

func (w *world) alive(what string) {
	if w.store.dead() {
		w.t.Errorf("%s after the end of the process", what)
	}
}

// host makes the host of a process.
func (w *world) host() *hostagent.Agent {
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: llm.ModelFunc(w.think), Desktop: w.desk, User: people.UserFunc(w.answer), Board: blackboard.New(0), NoImages: true,
		},
	})
	require.NoError(w.t, err)
	return host
}

func (w *world) answer(context.Context, people.Question) (people.Answer, error) {
	w.alive("a question")
	return people.Answer{Text: "blue", Approved: true}, nil
}

// writer makes the agent of the report alone, whose memory has no bound.
func (w *world) writer(t testing.TB) *appagent.Agent {
	agent, err := appagent.New(appagent.Config{
		Model: llm.ModelFunc(w.think), Desktop: w.desk, User: people.UserFunc(w.answer), NoImages: true, MaxMemory: -1,
		Window: desktop.Window{ID: "2", Root: "word", Process: "report"}, Board: blackboard.New(-1),
	})
	require.NoError(t, err)
	return agent
}

type task struct {
	Task   string `json:"task"`
	Status string `json:"status"`
}

func sectionOf[T any](w *world, req *llm.Request, name string) (v T) {
	if _, there := llm.FindSection(req, name); there {
		v = llmtest.Section[T](w.t, req, name)
	}
	return v
}

// think decides by what it is shown alone.
func (w *world) think(_ context.Context, req *llm.Request) (*llm.Response, error) {
	w.alive("a model call")
	w.mu.Lock()
	w.calls++
	w.mu.Unlock()
	decide := w.hostThinks
	if _, app := llm.FindSection(req, "subtask"); app {
		decide = w.appThinks
	}
	text := "Well."
	if again := req.Messages[len(req.Messages)-1].Text(); !w.hesitates || strings.Contains(again, "there is no JSON object") {
		text = decide(req)
	}
	return &llm.Response{Text: text, Model: "thinker", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, nil
}

func (w *world) hostThinks(req *llm.Request) string {
	closed := map[string]string{}
	for _, s := range sectionOf[[]task](w, req, "previous_subtasks") {
		closed[s.Task] = s.Status
	}
	assign := func(label, task string) string {
		return fmt.Sprintf(`{"Status":"ASSIGN","ControlLabel":%q,"CurrentSubTask":%q}`, label, task)
	}
	_, answered := llm.FindSection(req, "answers")
	switch {
	case !answered:
		return `{"Status":"PENDING","Questions":["Which colour?","Which size?"]}`
	case closed["fill the table"] != "FINISH":
		return assign("0", "fill the table")
	case closed["write the report"] == "":
		return assign("1", "write the report")
	case closed["write it again"] != "FINISH":
		return assign("1", "write it again")
	}
	return `{"Status":"FINISH","Result":"all is done","Open":{"subtask_2":"done: written again"}}`
}

func (w *world) appThinks(req *llm.Request) string {
	value := map[string]int{}
	for _, c := range sectionOf[[]desktop.Control](w, req, "controls") {
		var n int
		_, err := fmt.Sscan(c.Value, &n)
		require.NoError(w.t, err)
		value[c.ID] = n
	}
	_, answered := llm.FindSection(req, "answers")
	row := func(n int) string {
		return fmt.Sprintf(`{"Function":"add_row","Args":{"n":"%d","password":"hunter2-%d"}}`, n, n)
	}
	line := fmt.Sprintf(`{"Status":"CONTINUE","Function":"add_line","Args":{"text":"line %d"}}`, value["lines"]+1)
	most := 10
	if w.words > 0 {
		most = w.words
	}
	switch text := llmtest.Section[struct{ Text string }](w.t, req, "subtask").Text; {
	case text == "fill the table" && value["rows"] == 4:
		return `{"Status":"CONTINUE","Actions":[` + row(5) + `,` + row(6) + `]}`
	case text == "fill the table" && value["rows"] < 12:
		return strings.Replace(row(value["rows"]+1), `{`, `{"Status":"CONTINUE",`, 1)
	case text == "fill the table":
		return `{"Status":"FINISH","Result":{"rows":12},` + seen + `}`
	case text == "write the report" && value["lines"] == 3:
		return `{"Status":"FAIL","Comment":"the paper is used up"}`
	case text == "write it again" && value["lines"] >= 6 && !answered:
		return `{"Status":"PENDING","Questions":["Which title?"]}`
	case value["lines"] < most:
		return line
	case value["published"] == 0:
		return `{"Status":"CONTINUE","Function":"publish"}`
	}
	return `{"Status":"FINISH","Result":"published",` + seen + `}`
}

// seen is what an agent says of acts in doubt: it has looked at what there is.
const seen = `"Open":{"act_1":"done: seen","act_2":"done: seen","act_3":"done: seen","act_4":"done: seen","act_5":"done: seen"}`

// unbounded are options under which the run of a world does not stop.
func unbounded() *round.Options {
	return &round.Options{MaxSteps: -1, MaxTransitions: 300, MaxRepeats: -1}
}

var errKilled = errors.New("killed")

// mortal is a store with which the process dies: at its Append of that number, before
// or after it took the records.
type mortal struct {
	store.Store
	mu     sync.Mutex
	count  int
	dieAt  int // 0: never
	after  bool
	killed bool
	full   int   // the Append for which there is no room; 0: none
	bytes  []int // of each Append
	marks  map[string]store.Mark
}

// AppendMarked keeps marks as a store does that cannot append both at once. A mark is of the last record.
func (m *mortal) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	if last := after + int64(len(records)); mark.Seq != last {
		return fmt.Errorf("the mark is of record %d, and the last one is %d", mark.Seq, last)
	}
	if err := m.Append(ctx, run, after, records...); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.marks == nil {
		m.marks = map[string]store.Mark{}
	}
	m.marks[run] = mark
	return nil
}

func (m *mortal) Marked(_ context.Context, run string) (store.Mark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.marks[run], nil
}

func (m *mortal) Marks(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
	return func(yield func(store.Mark, error) bool) {
		for run, err := range m.Runs(ctx) {
			mark, _ := m.Marked(ctx, run)
			mark.Run, mark.Behind = run, true
			if strings.HasPrefix(run, q.Prefix) && run > q.After && !yield(mark, err) {
				return
			}
		}
	}
}

func (m *mortal) dead() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.killed
}

func (m *mortal) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.killed {
		panic("a dead process appends")
	}
	if len(records) == 0 {
		return m.Store.Append(ctx, run, after) // it only compares
	}
	m.count++
	size := 0
	for _, r := range records {
		size += len(r)
	}
	m.bytes = append(m.bytes, size)
	if m.count == m.full {
		m.full = 0
		return errNoRoom
	}
	if m.count == m.dieAt && !m.after {
		m.killed = true
		panic(errKilled)
	}
	err := m.Store.Append(ctx, run, after, records...)
	if m.count == m.dieAt {
		m.killed = true
		panic(errKilled)
	}
	return err
}

// start is another process, which dies at an Append or not at all.
func (m *mortal) start(dieAt int, after bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count, m.dieAt, m.after, m.killed = 0, dieAt, after, false
}
