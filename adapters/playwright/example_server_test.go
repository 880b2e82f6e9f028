package playwright_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// An agent fills in a form. A person is asked before it is sent, and reads the name
// of the button on the page. server is a browser in memory here; in a program it is
// one of adapters/mcp: servers.Server("shop").
func Example() {
	var server desktop.Desktop = newFake()
	browser, err := playwright.New(server, &playwright.Options{
		Name: "shop", Home: "http://shop.test/form.html", Origins: []string{"http://shop.test"},
	})
	if err != nil {
		panic(err)
	}
	policy, err := playwright.Policy(&playwright.PolicyOptions{Origins: []string{"http://shop.test"}})
	if err != nil {
		panic(err)
	}
	agent, err := appagent.New(appagent.Config{
		Desktop: browser, Policy: policy,
		User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			fmt.Println(q.Text)
			return people.Answer{Approved: true}, nil
		}),
		Model: llmtest.Script(nil,
			`{"Function": "set_edit_text", "ControlLabel": "e5", "Args": {"text": "Bob"}, "Status": "CONTINUE"}`,
			`{"Function": "select_option", "ControlLabel": "e17", "Args": {"options": ["L"]}, "Status": "CONTINUE"}`,
			`{"Function": "click_input", "ControlLabel": "e23", "Status": "CONTINUE"}`,
			`{"Status": "FINISH", "Result": "ordered in size L for Bob"}`,
		),
	})
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "order one in size L for Bob", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	// Output:
	// Allow click_input {"id":"e23","name":"Send order"} on button "Send order" (e23) in shop/1 (1) titled "New order http://shop.test/form.html"? It needs approval because nobody knows what the button "Send order" does.
	// ordered in size L for Bob <nil>
}

// What a model sees of a page, and what becomes of a click on a button that is
// called otherwise by now.
func ExampleNew() {
	server := newFake()
	browser, err := playwright.New(server, &playwright.Options{Home: "http://shop.test/second.html"})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	controls, err := desktop.UITree(ctx, browser)
	if err != nil {
		panic(err)
	}
	page := controls[0]
	fmt.Printf("%s: %s\n", page.Name, page.Value)
	for _, c := range page.Children {
		fmt.Printf("%s %s %q %q\n", c.ID, c.Type, c.Name, c.Value)
	}

	server.here().edit(`button "Close me"`, `button "Delete me"`)
	res, err := desktop.Execute(ctx, browser, desktop.Command{
		ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "e5", "name": "Close me"},
	})
	fmt.Println(res.Status, res.Error, err)
	// Output:
	// Second page: http://shop.test/second.html
	// e2 heading "Terms" ""
	// e3 paragraph "" "There are no returns."
	// e4 link "Back to the form" "form.html"
	// e5 button "Close me" ""
	// failure the control e5 was a button called "Close me", and is a button called "Delete me" by now <nil>
}
