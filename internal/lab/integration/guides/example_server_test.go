package guides_test

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// shop is a window with a tool that cannot be taken back.
func shop(order func()) desktop.Desktop {
	tools, err := desktop.New(desktop.Func("order", "Order a book.", func(_ context.Context, in struct {
		Title string `json:"title"`
	}) (string, error) {
		order()
		return in.Title + " is ordered", nil
	}, &desktop.Annotations{DestructiveHint: true}))
	if err != nil {
		panic(err)
	}
	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: tools})
	if err != nil {
		panic(err)
	}
	return screen
}

// newModel returns the model of one session.
func newModel() llm.Model {
	return llmtest.Script(nil,
		`{"Status": "ASSIGN", "ControlText": "shop", "CurrentSubTask": "order Emma"}`,
		`{"Status": "CONTINUE", "Function": "order", "Args": {"title": "Emma"}}`,
		func(req *llm.Request) (string, error) {
			if _, host := llm.FindSection(req, "windows"); host { // it has control again: the order was refused
				return `{"Status": "FINISH", "Result": "Nothing is ordered.", "Open": ["subtask_1: dropped: it was refused"]}`, nil
			}
			return `{"Status": "FINISH", "Result": "ordered"}`, nil
		},
		`{"Status": "FINISH", "Result": "Emma is on its way."}`,
	)
}

// A session as an MCP server. Whoever calls it is asked for approvals, and says no
// to the first.
func Example_mcpServer() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	orders := 0
	desk := shop(func() { orders++ })

	// region server
	server, err := mcpserver.New(mcpserver.Config{
		Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
			host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: newModel(), Desktop: desk, User: call.User}}) // asks whoever calls
			if err != nil {
				return nil, err
			}
			return round.NewSession(host, &round.Options{MaxSteps: 20, MaxTokens: 50_000}) // of one call
		},
	})
	// endregion
	if err != nil {
		panic(err)
	}
	ours, theirs := sdk.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, ours) }()

	yes := false
	client := sdk.NewClient(&sdk.Implementation{Name: "orchestrator", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			fmt.Println("asked; the answer is", yes)
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": yes}}, nil
		},
	})
	session, err := client.Connect(ctx, theirs, nil)
	if err != nil {
		panic(err)
	}
	for range 2 {
		res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": "order Emma"}})
		if err != nil {
			panic(err)
		}
		answer, _ := res.StructuredContent.(map[string]any)
		fmt.Println(answer["answer"], orders, "orders")
		yes = true
	}
	if err := session.Close(); err != nil {
		panic(err)
	}
	fmt.Println(<-served)
	// Output:
	// asked; the answer is false
	// Nothing is ordered. 0 orders
	// asked; the answer is true
	// Emma is on its way. 1 orders
	// <nil>
}
