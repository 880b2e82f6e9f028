package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// twoApplications is a whole round: a host gives a sub-task to each of two applications,
// whose agents call a tool once and end. It has 6 calls of the model and 10 transitions.
func twoApplications(ctx context.Context, realistic bool) error {
	j := &job{workload: workload{Realistic: realistic}}
	has := sizes{Tools: 1, Controls: 1, Windows: 2}
	if realistic {
		has = usual
	}
	result, err := assignments(ctx, j, has, bothReplies[realistic])
	if err != nil {
		return err
	}
	if result.Answer != "done" || result.Calls != 6 || result.Transitions != 10 || j.calls != 2 {
		return fmt.Errorf("%w: %d calls, %d transitions, %d calls of the tool, %q", errOther, result.Calls, result.Transitions, j.calls, result.Answer)
	}
	return nil
}

// bothReplies are what the model says of two applications, realistic or not.
var bothReplies = map[bool][]string{false: repliesOfBoth(workload{}), true: repliesOfBoth(workload{Realistic: true})}

func repliesOfBoth(w workload) []string {
	return []string{
		w.reply(1, `"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the sales table", "Plan": ["draw it"]`),
		w.reply(2, `"Status": "CONTINUE", "Function": "noop", "Args": {"N": 1}`),
		w.reply(3, `"Status": "FINISH", "Result": [[2023, 4], [2024, 7]]`),
		w.reply(4, `"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "draw a bar chart of it", "Plan": []`),
		w.reply(5, `"Status": "FINISH", "Function": "noop", "Args": {"N": 1}, "Result": "chart 1"`),
		w.reply(6, `"Status": "FINISH", "Result": "done"`),
	}
}

// repliesOfMany are what the model says of n sub-tasks.
func repliesOfMany(n int) []string {
	w := workload{Realistic: true}
	var all []string
	for i := range n {
		all = append(all,
			w.reply(2*i, fmt.Sprintf(`"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "do part %d"`, i)),
			w.reply(2*i+1, fmt.Sprintf(`"Status": "FINISH", "Result": "part %d is done"`, i)))
	}
	return append(all, w.reply(2*n, `"Status": "FINISH", "Result": "done"`))
}

// manySubtasks is a whole round in which a host gives n realistic sub-tasks to one application,
// whose agent ends each in one step, and for which the model has these replies.
func manySubtasks(ctx context.Context, n int, replies []string) error {
	result, err := assignments(ctx, &job{workload: workload{Realistic: true}}, usual, replies)
	if err != nil {
		return err
	}
	if result.Answer != "done" || len(result.Subtasks) != n {
		return fmt.Errorf("%w: %d sub-tasks, %q", errOther, len(result.Subtasks), result.Answer)
	}
	return nil
}

// reply has the members of a decision, and a thought as long as the workload has it.
func (w workload) reply(step int, members string) string {
	return `{"Thought": "` + w.thought(step) + `", ` + members + `}`
}

// assignments runs a round of a host whose model gives these replies.
func assignments(ctx context.Context, j *job, has sizes, replies []string) (round.Result, error) {
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		next := replies[j.thoughts]
		j.thoughts++
		return &llm.Response{Text: next}, nil
	})
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: newScreen(j, has), NoImages: true}})
	if err != nil {
		return round.Result{}, err
	}
	r, err := round.New(host, "draw a bar chart of the sales", unbounded())
	if err != nil {
		return round.Result{}, err
	}
	result, err := r.Run(ctx)
	if err != nil {
		return result, fmt.Errorf("bench: %s: %w", result.Reason, err)
	}
	return result, nil
}

// changingControls are the usual ones, of which one has another value in each step.
func changingControls(step int) json.RawMessage {
	list := controls(usual.Controls)
	list[len(list)/2].Value = fmt.Sprintf("%d units sold", 5000+step)
	return encoded(list)
}
