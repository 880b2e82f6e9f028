package guides_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"golang.org/x/time/rate"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// decision is what the models of these Examples say.
const decision = `{"Status": "FINISH", "Result": "three"}`

// serve answers every request with the same JSON.
func serve(reply any) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(reply); err != nil {
			panic(err)
		}
	}))
}

// shelf is a desktop with one tool.
func shelf() desktop.Desktop {
	d, err := desktop.New(desktop.Func("count", "Count the books.",
		func(context.Context, struct{}) (int, error) { return 3, nil },
		&desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		panic(err)
	}
	return d
}

// A model behind the protocol of OpenAI, with all that bounds what it may cost.
func Example_openAI() {
	server := serve(map[string]any{
		"model":   "qwen3-vl-8b",
		"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": decision}, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 900, "completion_tokens": 20},
	})
	defer server.Close()
	base, desk := server.URL+"/v1", shelf()

	// region model
	model, err := openai.New(openai.Config{
		Model:   "qwen3-vl",
		BaseURL: base, // such as http://127.0.0.1:11434/v1; "": OPENAI_BASE_URL
	})
	if err != nil {
		panic(err)
	}
	limiter := rate.NewLimiter(rate.Every(time.Second), 5) // calls; package golang.org/x/time/rate
	agent, err := appagent.New(appagent.Config{
		Model:   llm.Limit(llm.Timeout(model, time.Minute), limiter), // a minute for each attempt
		Desktop: desk,
	})
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "how many books are there?", &round.Options{MaxSteps: 10, MaxTokens: 50_000})
	// endregion
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, res.Usage.Total(), err)
	// Output: three 920 <nil>
}

// A model that knows no structured output, behind a server of one's own: it is told in words what
// its reply has to look like.
func Example_anyServer() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		fmt.Println(r.URL.Path, bytes.Contains(body, []byte("response_format")), bytes.Contains(body, []byte("JSON Schema")))
		fmt.Fprintf(w, `{"choices": [{"message": {"content": %q}, "finish_reason": "stop"}]}`, "Here it is:\n"+decision)
	}))
	defer server.Close()
	base := server.URL + "/v1"

	// region model
	model, err := openai.New(openai.Config{
		Model:          "tinyllama",
		BaseURL:        base, // any server with OpenAI's protocol
		SchemaInPrompt: true, // no structured output
	})
	// endregion
	if err != nil {
		panic(err)
	}
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: shelf(), NoImages: true})
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "how many books are there?", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	// Output:
	// /v1/chat/completions false true
	// three <nil>
}

// A model behind the protocol of Anthropic.
func Example_anthropic() {
	server := serve(map[string]any{
		"model":       "claude-sonnet-4-5",
		"content":     []any{map[string]any{"type": "text", "text": decision}},
		"stop_reason": "end_turn",
		"usage":       map[string]any{"input_tokens": 900, "output_tokens": 20},
	})
	defer server.Close()
	base := server.URL

	// region model
	model, err := anthropic.New(anthropic.Config{
		Model:     "claude-sonnet-4-5",
		BaseURL:   base, // such as http://127.0.0.1:4000, never with a /v1; without it that of ANTHROPIC_BASE_URL
		MaxTokens: 2000, // of a reply; the protocol wants a limit
	})
	// endregion
	if err != nil {
		panic(err)
	}
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: shelf()})
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "how many books are there?", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, res.Usage.Total(), err)
	// Output: three 920 <nil>
}
