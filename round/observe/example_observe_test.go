package observe_test

import (
	"context"
	"log/slog"
	"os"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// accountant is a host that adds up what is in a workbook. Its model's second
// reply is not one that the table allows.
func accountant() *hostagent.Agent {
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: llmtest.Script(nil,
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read the total"}`,
				`{"Status": "DONE", "Result": 12}`,
				`{"Status": "FINISH", "Result": 12}`,
				`{"Status": "FINISH", "Result": {"$ref": "subtask_result_1.data"}}`,
			),
			Desktop: desktoptest.New(nil, &desktoptest.App{
				Root: "excel", Process: "book", Title: "Book1 - Excel", Running: true,
				Controls: []desktop.Control{{ID: "b7", Name: "Total", Type: "Cell", Value: "12"}},
			}),
		},
	})
	if err != nil {
		panic(err)
	}
	return host
}

func run(opts *round.Options) round.Result {
	r, err := round.New(accountant(), "what is the total?", opts)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	if err != nil {
		panic(err)
	}
	return res
}

// Log records, one for each transition and for what happened on the way. What
// differs from run to run is left out here, so that this prints the same.
func ExampleSlog() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch a.Key {
			case slog.TimeKey, "agentfsm.duration", "agentfsm.agent.kind", "agentfsm.subtasks.planned":
				return slog.Attr{}
			}
			return a
		},
	}))
	run(&round.Options{Observe: observe.Slog(logger, nil)})
	// Output:
	// level=INFO msg=transition agentfsm.step=1 gen_ai.agent.name=HostAgent agentfsm.from=CONTINUE agentfsm.to=ASSIGN agentfsm.by=model agentfsm.calls=1 gen_ai.response.model=llmtest gen_ai.usage.input_tokens=10 gen_ai.usage.output_tokens=5
	// level=INFO msg=transition agentfsm.step=2 gen_ai.agent.name=HostAgent agentfsm.from=ASSIGN agentfsm.to=CONTINUE agentfsm.by=system agentfsm.next.agent.name=AppAgent/excel/book agentfsm.reason="agent created" agentfsm.subtask.id=subtask_1 agentfsm.subtasks.opened=1 agentfsm.subtasks.finished=0 agentfsm.subtasks.failed=0
	// level=WARN msg="reply refused" agentfsm.step=3 gen_ai.agent.name=AppAgent/excel/book agentfsm.reason="deciding: Status \"DONE\" is not allowed here; allowed are CONTINUE, SCREENSHOT, FINISH, FAIL"
	// level=INFO msg=transition agentfsm.step=3 gen_ai.agent.name=AppAgent/excel/book agentfsm.from=CONTINUE agentfsm.to=FINISH agentfsm.by=model agentfsm.calls=2 gen_ai.response.model=llmtest gen_ai.usage.input_tokens=20 gen_ai.usage.output_tokens=10 agentfsm.subtask.id=subtask_1 agentfsm.subtasks.opened=1 agentfsm.subtasks.finished=0 agentfsm.subtasks.failed=0
	// level=INFO msg=transition agentfsm.step=4 gen_ai.agent.name=AppAgent/excel/book agentfsm.from=FINISH agentfsm.to=CONTINUE agentfsm.by=system agentfsm.next.agent.name=HostAgent agentfsm.subtask.id=subtask_1 agentfsm.subtasks.opened=1 agentfsm.subtasks.finished=0 agentfsm.subtasks.failed=0
	// level=INFO msg=transition agentfsm.step=5 gen_ai.agent.name=HostAgent agentfsm.from=CONTINUE agentfsm.to=FINISH agentfsm.by=model agentfsm.calls=1 gen_ai.response.model=llmtest gen_ai.usage.input_tokens=10 gen_ai.usage.output_tokens=5 agentfsm.subtasks.opened=1 agentfsm.subtasks.finished=1 agentfsm.subtasks.failed=0
}
