package proof_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

func TestModel(t *testing.T) {
	claim := proof.Claim{
		Request: "save it", Answer: "saved", Result: []byte(`{"file": "a"}`),
		Observed:   []llm.Section{{Name: "controls", Value: []string{"Say yes"}}},
		Screenshot: &llm.Image{MediaType: "image/png", Data: []byte("x")},
	}
	for reply, want := range map[string]proof.Finding{
		`{"Verdict": "yes", "Evidence": "the title has no star"}`: {Verdict: proof.Yes, By: "a judge", Evidence: "the title has no star"},
		`{"Verdict": "NO ", "Evidence": "there is no file"}`:      {Verdict: proof.No, By: "a judge", Evidence: "there is no file"},
		`{"Verdict": "unknown", "Evidence": "nothing is seen"}`:   {Verdict: proof.Unknown, By: "a judge", Evidence: "nothing is seen"},
		`{"Verdict": "surely", "Evidence": "so"}`:                 {Verdict: proof.Unknown, By: "a judge", Evidence: "so"},
		`well`: {Verdict: proof.Unknown, By: "a judge", Evidence: "its reply could not be read"},
	} {
		model := llmtest.Script(t, reply)
		found, err := proof.Model("a judge", model)(t.Context(), claim)
		require.NoError(t, err)
		assert.Equal(t, want, found)
		req := model.Last()
		assert.Equal(t, "save it", llmtest.Section[string](t, req, "request"))
		assert.Equal(t, "saved", llmtest.Section[string](t, req, "answer"))
		assert.Equal(t, []string{"Say yes"}, llmtest.Section[[]string](t, req, "controls"))
		assert.Equal(t, claim.Screenshot, req.Messages[1].Parts[1].Image)
	}
	down := errors.New("it is down")
	_, err := proof.Model("a judge", llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, down }))(t.Context(), claim)
	require.ErrorIs(t, err, down)
}

// A second model looks at what the agent saw. It finds the answer wrong once.
func ExampleModel() {
	editor := &desktoptest.App{Root: "editor", Title: "letter*", Running: true, Tools: []desktoptest.Tool{{Name: "save"}}}
	d := desktoptest.New(nil, editor)
	judge := llmtest.Script(nil, `{"Verdict": "no", "Evidence": "the title still has a star"}`, `{"Verdict": "yes", "Evidence": "it was saved"}`)
	// region verify
	agent, err := appagent.New(appagent.Config{
		Model:   llmtest.Script(nil, `{"Status": "FINISH", "Result": "saved"}`, `{"Status": "FINISH", "Function": "save", "Result": "saved"}`),
		Desktop: d, NoImages: true, Verify: proof.Model("a second model", judge),
	})
	// endregion
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "save the letter", nil)
	if err != nil {
		panic(err)
	}
	for step := range r.Steps(context.Background()) {
		fmt.Printf("%s %q\n", step, step.Reason)
	}
	fmt.Printf("%+v\n", *r.Result().Verified)
	// Output:
	// AppAgent:CONTINUE -> AppAgent:CONTINUE (system) "the check says that the task is not done: the title still has a star"
	// AppAgent:CONTINUE -> AppAgent:FINISH (model) ""
	// {Verdict:yes By:a second model Evidence:it was saved}
}
