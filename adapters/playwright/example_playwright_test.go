package playwright_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

func ExamplePolicy() {
	judge, err := playwright.Policy(&playwright.PolicyOptions{
		Buttons: []string{"Add to cart"},
		Origins: []string{"https://shop.example"},
	})
	if err != nil {
		panic(err)
	}
	for _, act := range []struct {
		on         desktop.Control
		tool       string
		parameters map[string]any
	}{
		{desktop.Control{Type: "textbox", Name: "E-mail"}, desktop.SetEditText, map[string]any{"id": "e1", "text": "ada@shop.example"}},
		{desktop.Control{Type: "button", Name: "Add to cart"}, desktop.ClickInput, map[string]any{"id": "e2"}},
		{desktop.Control{Type: "button", Name: "Buy now"}, desktop.ClickInput, map[string]any{"id": "e3"}},
		{desktop.Control{Type: "link", Name: "Delete account"}, desktop.ClickInput, map[string]any{"id": "e4"}},
		{desktop.Control{Type: "textbox", Name: "Comment"}, desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "thanks{ENTER}"}},
	} {
		tool, _ := desktop.ToolNamed(act.tool)
		cmd := desktop.Command{ToolName: act.tool, Parameters: act.parameters}
		v := judge(policies.WithControl(context.Background(), act.on), tool, cmd)
		fmt.Printf("%s: %v %q\n", act.on.Name, v.Action, v.Reason)
	}
	// Output:
	// E-mail: allow ""
	// Add to cart: allow ""
	// Buy now: confirm "nobody knows what the button \"Buy now\" does"
	// Delete account: confirm "the name of the control \"Delete account\" says \"delete\""
	// Comment: confirm "the keys \"thanks{ENTER}\" can do more than write into the field"
}
