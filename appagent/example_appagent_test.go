package appagent_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
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

// What an agent knows outlives its process: restored from a snapshot, another
// agent remembers what the first one did.
func ExampleAgent_Load() {
	desk, _, window := word()
	config := appagent.Config{Desktop: desk, Window: window, NoImages: true}

	config.Model = replies(`{"Thought": "I see it", "Status": "FINISH", "Comment": "the budget is 40"}`)
	first, err := appagent.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := run(first, "read the budget"); err != nil {
		fmt.Println(err)
		return
	}
	saved, err := first.Save() // it has a JSON form
	if err != nil {
		fmt.Println(err)
		return
	}

	// In another process, with a configuration of the same kind.
	config.Model = llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		history, _ := llm.FindSection(req, "history")
		fmt.Println("history:", len(history) > 0)
		return &llm.Response{Text: `{"Status": "FINISH", "Result": 40}`}, nil
	})
	second, err := appagent.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := second.Load(saved); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(second.Status(), len(second.Memory().Memos()))
	if err := run(second, "what was the budget?"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(second.Answer())
	// Output:
	// FINISH 1
	// history: true
	// 40
}

func run(agent fsm.Worker, task string) error {
	r, err := round.New(agent, task, nil)
	if err != nil {
		return err
	}
	_, err = r.Run(context.Background())
	return err
}
