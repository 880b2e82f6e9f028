package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/generate/marked"
)

func main() {
	if err := command(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	root := flags.String("root", ".", "`folder` of the repository")
	check := flags.Bool("check", false, "write nothing, fail when something is out of date")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	stale, err := marked.Files(*root, *check, map[string]marked.Renderer{
		"diagram": diagram(map[string]func() string{
			"hostagent": func() string { return hostagent.States().Mermaid() },
			"appagent":  func() string { return appagent.States().Mermaid() },
		}),
		"example": marked.Example(*root),
		"program": marked.Program(*root),
		"output":  marked.Output(*root),
		"code":    marked.Code(*root),
		"text":    marked.Text(*root),
		"bench":   nil, // tables of measurements, which the module bench writes
	})
	if err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	for _, s := range stale {
		fmt.Fprintf(out, "%s: %s\n", s.File, s.Marker)
	}
	if *check && len(stale) > 0 {
		return fmt.Errorf("generate: %d parts are out of date, run make docs", len(stale))
	}
	return nil
}

// diagram draws a kind of agent by its name.
func diagram(kinds map[string]func() string) marked.Renderer {
	return func(args []string) (string, error) {
		if len(args) == 1 && kinds[args[0]] != nil {
			return marked.Fence("mermaid", kinds[args[0]]()), nil
		}
		return "", fmt.Errorf("want one of %s", strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
}
