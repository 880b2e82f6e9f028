package llmtest_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// loud stands for the *testing.T of a test, and prints what would fail it.
type loud struct{ fakeTB }

func (l *loud) Name() string                      { return "TestGreeting" }
func (l *loud) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleScript() {
	t := &loud{} // in a test: its t
	model := llmtest.Script(t,
		`{"Status": "CONTINUE"}`,
		map[string]any{"Status": "FINISH"},
		"bye",
	)
	ctx := context.Background()
	for _, question := range []string{"start", "and now?"} {
		prompt, err := llm.Prompt(llm.Section{Name: "request", Value: question})
		if err != nil {
			panic(err)
		}
		resp, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, prompt)}})
		fmt.Println(resp.Text, err)
	}
	fmt.Println(len(model.Requests()), "requests, the last:", llmtest.Section[string](t, model.Last(), "request"))
	t.end()
	// Output:
	// {"Status": "CONTINUE"} <nil>
	// {"Status":"FINISH"} <nil>
	// 2 requests, the last: and now?
	// llmtest: the model was asked 2 times, 1 replies were left; the next was reply 3
}
