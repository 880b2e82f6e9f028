package appagent_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
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

// word is a desktop with one window.
func word() (*desktoptest.Desktop, *desktoptest.App, desktop.Window) {
	app := &desktoptest.App{
		Root: "word", Process: "report.docx", Title: "report.docx - Word", Running: true,
		Controls: []desktop.Control{{ID: "1", Name: "Title", Type: "Edit"}, {ID: "2", Name: "Send", Type: "Button"}},
	}
	d := desktoptest.New(nil, app)
	window, _ := app.Window()
	return d, app, window
}

// An AppAgent alone: a Round gives it the task and drives it.
func Example() {
	desk, app, window := word()
	agent, err := appagent.New(appagent.Config{
		Desktop: desk, Window: window, NoImages: true,
		Model: replies(
			`{"Thought": "it has no title yet", "Function": "set_edit_text", "ControlLabel": "1", "Args": {"text": "Sales 2024"}, "Status": "CONTINUE"}`,
			`{"Thought": "it is there now", "Status": "FINISH", "Result": "Sales 2024"}`,
		),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := round.New(agent, "give the report a title", &round.Options{Observe: func(s round.Step) { fmt.Println(s) }})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	fmt.Println(app.Value("1"))
	// Output:
	// AppAgent/word/report.docx:CONTINUE -> AppAgent/word/report.docx:CONTINUE (model)
	// AppAgent/word/report.docx:CONTINUE -> AppAgent/word/report.docx:FINISH (model)
	// Sales 2024 <nil>
	// Sales 2024
}
