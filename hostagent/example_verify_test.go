package hostagent_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// Verify checks a FINISH. The first one is refused, with the reason in the next prompt. The
// host gives up one sub-task then, which Result.Partial lists.
func ExampleConfig_verify() {
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{
		Desktop: office(),
		Model: replies(
			`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "translate the report"}`,
			`{"Status": "FAIL", "Comment": "there is no dictionary"}`,
			`{"Status": "FINISH", "Comment": "done", "Open": ["subtask_1: dropped: nobody can translate it"]}`,
			`{"Status": "FINISH", "Comment": "The report is in English.", "Open": ["subtask_1: dropped: nobody can translate it"]}`,
		),
		Verify: func(_ context.Context, claim proof.Claim) (proof.Finding, error) {
			if claim.Answer == "done" {
				return proof.Finding{Verdict: proof.No, Evidence: "the answer says nothing"}, nil
			}
			return proof.Finding{Verdict: proof.Yes, By: "the length of the answer", Evidence: claim.Answer}, nil
		},
	}})
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "translate the report", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Outcome, err)
	fmt.Println("verified:", res.Verified.Verdict, "by", res.Verified.By)
	for _, part := range res.Partial {
		fmt.Println("not done:", part.ID, part.Status, part.Task, "-", part.Reason)
	}
	// Output:
	// FINISH <nil>
	// verified: yes by the length of the answer
	// not done: subtask_1 dropped translate the report - nobody can translate it
}

// Word has a model and a policy of its own. Knowledge adds a section to the prompts.
func ExampleProgram() {
	small := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		style, _ := llm.FindSection(req, "style")
		fmt.Printf("Word's model knows: %s\n", style)
		return &llm.Response{Text: `{"Status": "FINISH", "Result": "the report is short"}`}, nil
	})
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Desktop: office(),
			Model: replies(
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "shorten the report"}`,
				`{"Status": "FINISH", "Comment": "The report is short."}`,
			),
			Knowledge: func(context.Context, fsm.Task) ([]llm.Section, error) {
				return []llm.Section{{Name: "style", Value: "short sentences"}}, nil
			},
		},
		Apps: []hostagent.Program{{Name: "word", Model: small, Policy: policies.ReadOnly()}},
	})
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "shorten the report", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)

	// The host writes under names that package blackboard lists.
	type progress struct{ Total, Finished, Failed int }
	p, _, err := blackboard.NewKey[progress]("task_progress").Get(host.Board())
	fmt.Println(p.Total, p.Finished, p.Failed, err)
	for key, name := range host.Apps() {
		fmt.Println(key, "has", name)
	}
	// Output:
	// Word's model knows: "short sentences"
	// The report is short. <nil>
	// 1 1 0 <nil>
	// word/report.docx has AppAgent/word/report.docx
}
