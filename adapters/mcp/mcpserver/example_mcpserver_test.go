package mcpserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// tidier is a session whose agent deletes a file, as its model, a script, wants it.
func tidier(user people.User) (*round.Session, error) {
	type file struct {
		Name string `json:"name"`
	}
	remove := desktop.Func("delete_file", "deletes a file", func(_ context.Context, f file) (string, error) {
		return f.Name + " is gone", nil
	}, &desktop.Annotations{DestructiveHint: true})
	tools, err := desktop.New(remove)
	if err != nil {
		return nil, err
	}
	agent, err := appagent.New(appagent.Config{User: user, Desktop: tools, Model: llmtest.Script(nil,
		`{"Status": "CONTINUE", "Function": "delete_file", "Args": {"name": "old.txt"}}`,
		`{"Status": "FINISH", "Result": "I have tidied up."}`,
	)})
	if err != nil {
		return nil, err
	}
	return round.NewSession(agent, nil)
}

// An orchestrator calls the tool over a connection in memory. Its person is asked
// before something is deleted.
func Example() {
	server, err := mcpserver.New(mcpserver.Config{
		Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) { return tidier(call.User) },
	})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	ours, theirs := sdk.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, theirs) }()

	client := sdk.NewClient(&sdk.Implementation{Name: "orchestrator", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			fmt.Println(req.Params.Message)
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, nil
		},
	})
	session, err := client.Connect(ctx, ours, nil)
	if err != nil {
		panic(err)
	}
	res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": "tidy up"}})
	if err != nil {
		panic(err)
	}
	result, _ := res.StructuredContent.(map[string]any)
	fmt.Println(res.IsError, result["outcome"], result["answer"])
	fmt.Println(session.Close(), <-served)
	// Output:
	// AppAgent: Allow delete_file {"name":"old.txt"}? It needs approval because the tool is marked as destructive.
	// false FINISH I have tidied up.
	// <nil> <nil>
}

// With a client that cannot ask anybody, nothing is deleted.
func ExampleServer_Handler() {
	server, err := mcpserver.New(mcpserver.Config{
		Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) { return tidier(call.User) },
	})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler()) // your authentication goes around it
	web := httptest.NewServer(mux)
	defer web.Close()
	ctx := context.Background()
	defer func() { _ = server.Close(ctx) }()

	client := sdk.NewClient(&sdk.Implementation{Name: "orchestrator", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: web.URL + "/mcp"}, nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = session.Close() }()
	res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": "tidy up"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(res.IsError)
	fmt.Println(res.Content[0].(*sdk.TextContent).Text)
	// Output:
	// true
	// runtask: the task did not finish: round: the task failed: AppAgent:FAIL: not approved: delete_file: there is nobody to ask
}
