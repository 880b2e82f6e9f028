package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"

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
		llmtest.Reply{Name: "good-bye", Text: "bye"},
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
	// llmtest: the model was asked 2 times, 1 replies were left; the next was reply 3 (good-bye)
}

// acme stands for a real model, which a replay does not call.
func acme(key string) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return nil, fmt.Errorf("no network, and a key of %d bytes", len(key))
	})
}

// A test of a program that has a real model. It records when AGENTFSM_RECORD is 1,
// and needs neither the model nor its key from then on.
func ExampleCassette() {
	t := &loud{} // in a test: its t
	model := llmtest.Cassette(t, "testdata/greeting.json", &llmtest.CassetteOptions{
		Record:  acme(os.Getenv("LLM_KEY")),
		Secrets: []string{os.Getenv("LLM_KEY")},
	})
	ctx := context.Background()
	for _, question := range []string{"Greet the gopher.", "Greet the camel."} {
		resp, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, question)}})
		if errors.Is(err, llmtest.ErrCassette) {
			fmt.Println("a miss")
			continue
		}
		fmt.Println(resp.Text, err)
	}
	t.end()
	// Output:
	// Hello, gopher! <nil>
	// llmtest: cassette testdata/greeting.json: call 2 asks what was not recorded
	// the nearest is request 1 of 1 in the file (- recorded, + asked):
	//   --- user
	// - Greet the gopher.
	// + Greet the camel.
	// to record testdata/greeting.json again: set AGENTFSM_RECORD=1 and CassetteOptions.Record, and run TestGreeting
	// a miss
}
