package policies_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

func show(p policies.Func, tool desktop.Tool, parameters map[string]any) {
	v := p(context.Background(), tool, desktop.Command{ToolName: tool.Name, Parameters: parameters})
	fmt.Println(strings.TrimSpace(v.Action.String() + " " + v.Reason))
}

// Every list must agree. What cannot be taken back is asked about.
func ExampleAll() {
	roots := must(policies.NewRoots([]string{"/home/ada/reports"}, nil))
	p := policies.All(
		policies.AskDestructive(),
		policies.Tools("file_read", "file_delete"),
		policies.Paths(roots, nil),
	)
	show(p, desktop.Tool{Name: "file_read"}, map[string]any{"path": "/home/ada/reports/may.xlsx"})
	show(p, desktop.Tool{Name: "file_read"}, map[string]any{"path": "/home/ada/reports/../.ssh/id_rsa"})
	show(p, desktop.Tool{Name: "file_delete"}, map[string]any{"path": "/home/ada/reports/may.xlsx"})
	show(p, desktop.Tool{Name: "file_move"}, nil)
	// Output:
	// allow
	// deny the path "/home/ada/reports/../.ssh/id_rsa" has a ".." in it
	// confirm the name of the tool "file_delete" says "delete"
	// deny the tool "file_move" is not on the list of tools
}

// Tools that only read; a person may approve the rest.
func ExampleAsk() {
	p := policies.Ask(policies.ReadOnly())
	show(p, desktop.Tool{Name: "note_list", Annotations: desktop.Annotations{ReadOnlyHint: true}}, nil)
	show(p, desktop.Tool{Name: "note_edit"}, nil)
	// Output:
	// allow
	// confirm the tool "note_edit" is not marked as read-only
}

// A list of programs beside a policy that asks about every launch: those on the
// list start without a question, others not at all.
func ExampleExcept() {
	// region launches
	p := policies.All(
		policies.Except(policies.AskDestructive(), desktop.LaunchApplication),
		policies.Apps([]string{"calc"}, nil),
	)
	// endregion
	launch, _ := desktop.ToolNamed(desktop.LaunchApplication)
	show(p, launch, map[string]any{"name": "calc"})
	show(p, launch, map[string]any{"name": "terminal"})
	show(p, desktop.Tool{Name: "mail_send"}, nil)
	// Output:
	// allow
	// deny the application "terminal" is not on the list of applications
	// confirm the name of the tool "mail_send" says "mail"
}

func ExampleHosts() {
	list := must(policies.NewHostList([]string{"example.com", "*.example.com"}))
	p := policies.Hosts(list, nil)
	browse := desktop.Tool{Name: "browse"}
	show(p, browse, map[string]any{"url": "https://docs.example.com/x"})
	show(p, browse, map[string]any{"url": "https://example.com@198.51.100.1/x"})
	show(p, browse, map[string]any{"url": "https://example.com.attacker.test"})
	// Output:
	// allow
	// deny the URL "https://example.com@198.51.100.1/x" has a user in front of its host
	// deny the URL "https://example.com.attacker.test" has a host that is not on the list
}
