package guides_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// serveFiles is an argument that makes this test binary an MCP server.
const serveFiles = "serve-files"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == serveFiles {
		if err := files().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// files is a server of files that are in memory.
func files() *sdk.Server {
	type file struct {
		Path string `json:"path"`
		Text string `json:"text,omitempty"`
	}
	var mu sync.Mutex
	have := map[string]string{"/srv/reports/may.csv": "north 4\nsouth 7"}
	say := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "files", Version: "1"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "read_file", Description: "Read a file.", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *sdk.CallToolRequest, f file) (*sdk.CallToolResult, any, error) {
			mu.Lock()
			defer mu.Unlock()
			return say(have[f.Path]), nil, nil
		})
	for _, name := range []string{"write_file", "delete_file"} {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: "Change a file."},
			func(_ context.Context, _ *sdk.CallToolRequest, f file) (*sdk.CallToolResult, any, error) {
				mu.Lock()
				defer mu.Unlock()
				have[f.Path] = f.Text
				return say(path.Base(f.Path) + " is as you said"), nil, nil
			})
	}
	return s
}

// A program that speaks MCP, what a policy makes of its tools, and who is asked.
// The model is a script that wants more than it may.
func Example_mcp() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	ctx, program := context.Background(), []string{self, serveFiles}
	user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		fmt.Println("asked:", q.Command.ToolName, q.Command.Parameters["path"])
		return people.Answer{Approved: true}, nil
	})
	model := llmtest.Script(nil,
		`{"Status": "ASSIGN", "ControlText": "files", "CurrentSubTask": "sum up may.csv"}`,
		`{"Status": "CONTINUE", "Function": "read_file", "Args": {"path": "/etc/passwd"}}`,
		`{"Status": "CONTINUE", "Function": "read_file", "Args": {"path": "/srv/reports/may.csv"}}`,
		`{"Status": "CONTINUE", "Function": "delete_file", "Args": {"path": "/srv/reports/may.csv"}}`,
		`{"Status": "CONTINUE", "Function": "write_file", "Args": {"path": "/srv/reports/sum.txt", "text": "11"}}`,
		`{"Status": "FINISH", "Result": 11}`,
		`{"Status": "FINISH", "Result": "It is 11."}`,
	)

	// region desktop
	d, err := mcp.Open(ctx, mcp.Config{
		Servers: []mcp.Server{{
			Name:    "files",
			Command: program,                             // such as mcp-server-filesystem /srv/reports
			Only:    []string{"read_file", "write_file"}, // of its tools
			Stderr:  os.Stderr,                           // what the program complains of
		}},
		User: user, // fills in the forms of servers
	})
	if err != nil {
		panic(err)
	}
	defer func() { _ = d.Close() }() // stops the program
	screen, err := d.Screen()        // each server a window
	if err != nil {
		panic(err)
	}
	roots, err := policies.NewRoots([]string{"/srv/reports"}, &policies.RootOptions{Resolve: true}) // follows links
	if err != nil {
		panic(err)
	}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, Desktop: screen, User: user,
			Policy: policies.All(policies.Default, policies.Paths(roots, nil)),
		},
	})
	// endregion
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "what do the numbers of May add up to?", &round.Options{Observe: func(s round.Step) {
		for _, v := range s.Verdicts {
			fmt.Println(v.Action, v.Tool, v.Reason)
		}
		for _, problem := range s.Refused {
			fmt.Println("refused:", problem)
		}
	}})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(ctx)
	fmt.Println(res.Answer, err)
	// Output:
	// deny read_file the path "/etc/passwd" is not in a directory on the list
	// confirm write_file the tool is marked as destructive
	// refused: desktop: unknown tool "delete_file"; the tools are: get_app_window, get_desktop_app_info, read_file, write_file
	// asked: write_file /srv/reports/sum.txt
	// It is 11. <nil>
}
