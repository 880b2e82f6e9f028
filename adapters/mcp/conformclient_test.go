package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
)

// conformClient is the client that the official suite examines: it calls the
// tools that the server of the suite has.
func conformClient(url string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := conform(ctx, url); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func conform(ctx context.Context, url string) error {
	d, err := mcp.Open(ctx, mcp.Config{
		Servers: []mcp.Server{{Name: "suite", URL: url}},
		User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			_, proposal, _ := strings.Cut(q.Text, "the server proposes ")
			proposal, _, _ = strings.Cut(proposal, ".\n")
			var text any
			if json.Unmarshal([]byte(proposal), &text) != nil {
				return people.Answer{}, nil //nolint:nilerr // the server proposes no value
			}
			return people.Answer{Text: fmt.Sprint(text)}, nil
		}),
	})
	if err != nil {
		return err
	}
	defer d.Close()
	tools, err := d.Tools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range tools {
		command := desktop.Command{ToolName: tool.Name}
		if tool.Name == "add_numbers" {
			command.Parameters = map[string]any{"a": 5, "b": 3}
		}
		res, err := d.Execute(ctx, command)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, tool.Name, res.Status, res.Error, res.Text())
	}
	return nil
}
