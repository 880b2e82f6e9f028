package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A test of a program that has a real model. It records when AGENTFSM_RECORD is 1,
// and needs neither the model nor its key from then on.
func ExampleCassette() {
	t := &loud{} // in a test: its t
	model := llmtest.Cassette(t, "testdata/greeting.json", &llmtest.CassetteOptions{
		Record:  &httpModel{url: "https://llm.example.com", key: os.Getenv("LLM_KEY")},
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
	t.atEnd()
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

// In a test file of the package that has the adapter, this is a whole test. The
// backend is an httptest.Server that gives one answer.
func ExampleRun() {
	_ = func(t *testing.T) { // func TestConforms(t *testing.T)
		llmtest.Run(t, llmtest.Backend{
			Good:        served(reply(said(llmtest.GoodReply, "stop"))),
			Slow:        blocked,
			RateLimited: served(status(429, "slow down")),
			Rejected:    served(status(401, llmtest.ErrorMessage("the-key"))),
			Key:         "the-key",
		})
	}
}
