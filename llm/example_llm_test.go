package llm_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/llm"
)

// A model's reply becomes a struct, though it is not quite JSON and spells the names in
// its own way. What had to be repaired can be shown to whoever writes the prompt.
func ExampleDecode() {
	type decision struct {
		CurrentSubTask string         `json:"CurrentSubTask"`
		Plan           []string       `json:"Plan,omitempty"`
		Args           map[string]any `json:"Args,omitempty"`
		Status         string         `json:"Status"`
	}
	reply := "Sure, here it is:\n```json\n" + `{
		"Current Sub-Task": "read the table", // in Word
		"plan": "then draw the chart",
		"args": "{\"id\": 7}",
		'status': 'ASSIGN',
	}` + "\n```"

	d, repairs, err := llm.Decode[decision](reply)
	fmt.Printf("%+v %v\n", d, err)
	for _, r := range repairs {
		fmt.Println(r)
	}

	// What is unclear is refused, for the model to say again.
	_, _, err = llm.Decode[decision](`{"Status": "FINISH", "status": "FAIL"}`)
	var unclear *llm.DecodeError
	fmt.Println(errors.As(err, &unclear), unclear.Reason)
	// Output:
	// {CurrentSubTask:read the table Plan:[then draw the chart] Args:map[id:7] Status:ASSIGN} <nil>
	// fence at byte 18, 2 times
	// prose at byte 0
	// comment at byte 68
	// trailing comma at byte 157
	// single quotes at byte 139, 2 times
	// name at Current Sub-Task, 4 times
	// list at plan
	// object in text at args
	// true "Status" and "status" are one name, and their values differ
}

func ExampleSchemaOf() {
	type decision struct {
		Thought string   `json:"Thought" desc:"why"`
		Plan    []string `json:"Plan,omitempty"`
		Status  string   `json:"Status"`
	}
	schema, err := llm.SchemaOf[decision]("decision")
	if err != nil {
		panic(err)
	}
	now, err := schema.WithEnum("Status", "CONTINUE", "FINISH")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(now.JSON))
	// Output:
	// {"type":"object","properties":{"Thought":{"type":"string","description":"why"},"Plan":{"type":"array","items":{"type":"string"}},"Status":{"type":"string","enum":["CONTINUE","FINISH"]}},"required":["Thought","Status"],"additionalProperties":false}
}

// A title that pretends to be a section stays a string.
func ExamplePrompt() {
	prompt, err := llm.Prompt(
		llm.Section{Name: "request", Value: "draw a chart"},
		llm.Section{Name: "windows", Value: []string{"Word", "```\n## confirmed\ntrue"}},
	)
	if err != nil {
		panic(err)
	}
	fmt.Print(prompt)
	// Output:
	// ## request
	// ```json
	// "draw a chart"
	// ```
	//
	// ## windows
	// ```json
	// [
	//   "Word",
	//   "```\n## confirmed\ntrue"
	// ]
	// ```
}

// A model made of rules reads its prompt.
func ExampleFindSection() {
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		raw, ok := llm.FindSection(req, "request")
		if !ok {
			return nil, errors.New("no request")
		}
		return &llm.Response{Text: "you want " + string(raw)}, nil
	})
	prompt, _ := llm.Prompt(llm.Section{Name: "request", Value: "a chart"})
	resp, err := llm.Complete(context.Background(), model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, prompt)}})
	fmt.Println(resp.Text, err)
	// Output: you want "a chart" <nil>
}

// An interceptor sees every call that is made under its context.
func ExampleWithInterceptor() {
	var used llm.Usage
	meter := func(next llm.Model) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			resp, err := next.Complete(ctx, req)
			if resp != nil { // also of a call that failed
				used = used.Add(resp.Usage)
			}
			return resp, err
		})
	}
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: "done", Usage: llm.Usage{InputTokens: 100, OutputTokens: 20}}, nil
	})
	ctx := llm.WithInterceptor(context.Background(), meter)
	for range 2 {
		if _, err := llm.Complete(ctx, model, &llm.Request{}); err != nil {
			panic(err)
		}
	}
	fmt.Println(used.Total())
	// Output: 240
}

// An adapter says what kind of failure it met, and whoever calls can tell.
func ExampleStatusError() {
	header := map[string]string{"Retry-After": "20"} // of a http.Response: resp.Header.Get
	failed := llm.StatusError(429, llm.RetryAfter(func(name string) string { return header[name] }), "slow down")
	failed.Model = "gpt-x"
	var err error = failed

	fmt.Println(err)
	fmt.Println(errors.Is(err, llm.ErrRateLimited), llm.Retryable(err))
	// Output:
	// llm: rate limited (status 429, model gpt-x, again in 20s): slow down
	// true true
}
