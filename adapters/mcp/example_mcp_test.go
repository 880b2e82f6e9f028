package mcp_test

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// A server in memory as a Desktop. One that is started has a Command in the place
// of the Transport, one on the network a URL.
func Example() {
	ctx := context.Background()
	type place struct {
		City string `json:"city"`
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "weather", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "forecast", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *sdk.CallToolRequest, p place) (*sdk.CallToolResult, any, error) {
			if p.City != "Oslo" {
				return nil, nil, fmt.Errorf("nothing is known of %s", p.City)
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "rain"}}}, nil, nil
		})
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := server.Connect(ctx, theirs, nil); err != nil {
		panic(err)
	}

	d, err := mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{{Name: "weather", Transport: ours}}})
	if err != nil {
		panic(err)
	}
	defer func() { _ = d.Close() }()
	tools, err := d.Tools(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(tools[0].Name, tools[0].Annotations.ReadOnlyHint)
	for _, city := range []string{"Oslo", "Atlantis"} {
		res, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "forecast", Parameters: map[string]any{"city": city}})
		if err != nil {
			panic(err)
		}
		fmt.Println(res.Status, res.Text()+res.Error)
	}
	// Output:
	// forecast true
	// success rain
	// failure nothing is known of Atlantis
}
