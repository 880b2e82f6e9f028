package hostagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// replies is a model that gives these replies, one after another. A test uses
// llmtest.Script.
func replies(list ...string) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		reply := list[0]
		list = list[1:]
		return &llm.Response{Text: reply}, nil
	})
}

// office is a desktop with Word, where a report is open, and Excel, which is not
// running.
func office() *desktoptest.Desktop {
	return desktoptest.New(nil,
		&desktoptest.App{
			Root: "word", Process: "report.docx", Title: "report.docx - Word", Running: true,
			Controls: []desktop.Control{{ID: "t1", Name: "Sales", Type: "Table", Value: "2023 4, 2024 7"}},
		},
		&desktoptest.App{
			Root: "excel", Process: "book", Title: "Book1 - Excel",
			Tools: []desktoptest.Tool{{Name: "insert_chart", Schema: `{"type":"object","required":["data"]}`}},
		})
}

func printStep(s round.Step) { fmt.Println(s) }

// A request that takes two applications: what comes out of one goes into the
// other, by reference.
func Example() {
	model := replies(
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the sales table", "Plan": ["draw a bar chart of it"]}`,
		`{"Status": "CONTINUE", "Function": "texts", "ControlLabel": "t1"}`,
		`{"Status": "FINISH", "Result": [[2023, 4], [2024, 7]]}`,
		`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "draw a bar chart of it"}`,
		`{"Status": "FINISH", "Function": "insert_chart", "Args": {"data": {"$ref": "subtask_result_1.data"}}, "Result": "chart 1"}`,
		`{"Status": "FINISH", "Comment": "The chart is in Excel."}`,
	)
	desk, ctx := office(), context.Background() // in which Word is open and Excel is not

	// region host
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{Model: model, Desktop: desk},
		Apps:   []hostagent.Program{{Name: "excel", Docs: "insert_chart draws a chart of its argument data."}},
	})
	if err != nil {
		panic(err)
	}
	session, err := round.NewSession(host, &round.Options{Observe: printStep})
	if err != nil {
		panic(err)
	}
	res, err := session.Run(ctx, "draw a bar chart of the sales table")
	// endregion

	fmt.Println(res.Answer, err)
	for _, s := range res.Subtasks {
		fmt.Printf("%s in %s: %s %s\n", s.Text, s.App, s.Status, s.Result)
	}
	fmt.Println(session.Close(ctx))
	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> AppAgent/word/report.docx:CONTINUE (system)
	// AppAgent/word/report.docx:CONTINUE -> AppAgent/word/report.docx:CONTINUE (model)
	// AppAgent/word/report.docx:CONTINUE -> AppAgent/word/report.docx:FINISH (model)
	// AppAgent/word/report.docx:FINISH -> HostAgent:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> AppAgent/excel/book:CONTINUE (system)
	// AppAgent/excel/book:CONTINUE -> AppAgent/excel/book:FINISH (model)
	// AppAgent/excel/book:FINISH -> HostAgent:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:FINISH (model)
	// The chart is in Excel. <nil>
	// extract the sales table in word: FINISH [[2023,4],[2024,7]]
	// draw a bar chart of it in excel: FINISH "chart 1"
	// <nil>
}

// clerk is an agent of one's own that needs no model: it counts words.
type clerk struct {
	fsm.Position
	app   appagent.Config
	words int
}

var clerkStates = fsm.Table("Clerk",
	[]fsm.Row[*clerk]{
		{Status: fsm.Continue, Handle: (*clerk).count},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (c *clerk) Name() string                          { return strings.Replace(c.app.Name, "AppAgent", "Clerk", 1) }
func (c *clerk) States() fsm.Set                       { return clerkStates }
func (c *clerk) Begin(context.Context, fsm.Task) error { return nil }
func (c *clerk) Answer() string                        { return fmt.Sprintf("%d words", c.words) }
func (c *clerk) Data() json.RawMessage                 { return fmt.Appendf(nil, `{"words":%d}`, c.words) }

func (c *clerk) count(ctx context.Context) error {
	d, err := desktop.Scope(ctx, c.app.Desktop, c.app.Window.ID)
	if err != nil {
		return err
	}
	read := desktop.Command{ToolName: desktop.Texts, Parameters: map[string]any{"id": "t1"}, Looks: true}
	text, err := desktop.Execute(ctx, d, read)
	if err != nil {
		return err
	}
	c.words = len(strings.Fields(text.Text()))
	c.Decide(fsm.Finish, fsm.BySystem, "")
	return nil
}
