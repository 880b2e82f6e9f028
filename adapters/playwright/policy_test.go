package playwright_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

func TestPolicy(t *testing.T) {
	f, d := at(t, "form.html", nil)
	f.change(func() {
		f.tabs[0].page.tree += "\n- button \"next  Page\" [ref=e60]\n- link [ref=e61]\n- link \"Delete order\" [ref=e62]\n- link \"Löschen\" [ref=e63]\n" +
			"- menuitem \"Next\" [ref=e64]\n- table [ref=e65]:\n  - row [ref=e66]:\n    - cell \"Ada\" [ref=e67]\n    - cell [ref=e68]:\n      - button \"Go now\" [ref=e69]\n" +
			"- textbox \"E-mail\" [ref=e70]\n- checkbox \"Subscribe\" [ref=e71]\n- searchbox \"Search\" [ref=e72]\n- button \"Cancel\" [ref=e73]"
	})
	seen := d.look()
	p, err := playwright.Policy(&playwright.PolicyOptions{Origins: []string{shop}, Words: []string{"löschen"}})
	require.NoError(t, err)
	const free = ""
	id := func(id string) map[string]any { return map[string]any{"id": id} }
	keys := func(id, keys string) map[string]any { return map[string]any{"id": id, "keys": keys} }
	for _, test := range []struct {
		tool string
		args map[string]any
		asks string
	}{
		{desktop.GetUITree, nil, free},
		{desktop.ClickInput, id("e11"), free},
		{desktop.ClickInput, id("e71"), free},
		{desktop.ClickInput, id("e25"), free},
		{desktop.ClickInput, id("e60"), free},
		{desktop.ClickInput, id("e64"), free},
		{desktop.ClickInput, id("e23"), `nobody knows what the button "Send order" does`},
		{desktop.ClickInput, map[string]any{"id": "e23", "name": "Next"}, `nobody knows what the button "Send order" does`},
		{desktop.ClickInput, id("e37"), `nobody knows what the clickable "A box to click on" does`},
		{desktop.ClickInput, id("e69"), `nobody knows what the button "Go now" "[in: Ada | Go now]" does`},
		{desktop.ClickInput, id("e61"), "the link has no name"},
		{desktop.ClickInput, id("e62"), `the name of the control "Delete order" says "delete"`},
		{desktop.ClickInput, id("e63"), `the name of the control "L\u00f6schen" says "l\u00f6schen"`},
		{desktop.ClickInput, id("e99"), "the control is not known"},
		{desktop.SetEditText, map[string]any{"id": "e70", "text": "x"}, free},
		{desktop.SetEditText, map[string]any{"id": "e99", "text": "x"}, "the control is not known"},
		{"select_option", map[string]any{"id": "e17", "options": []string{"L"}}, free},
		{desktop.KeyboardInput, keys("e5", "Bob{LEFT}+{END}{BACKSPACE}^a{TAB}"), free},
		{desktop.KeyboardInput, keys("e5", "Bob{ENTER}"), `the keys "Bob{ENTER}" can do more than write into the field`},
		{desktop.KeyboardInput, keys("e5", "Bob\n"), `the keys "Bob\n" can do more than write into the field`},
		{desktop.KeyboardInput, keys("e5", "{TAB} "), `the keys "{TAB} " can do more than write into the field`},
		{desktop.KeyboardInput, keys("e72", "lamps{ENTER}"), free},
		{desktop.KeyboardInput, keys("e72", "{ENTER}lamps"), `the keys "{ENTER}lamps" can do more than write into the field`},
		{desktop.ClickInput, id("e73"), `nobody knows what the button "Cancel" does`},
		{desktop.KeyboardInput, keys("e5", "%x"), `the keys "%x" can do more than write into the field`},
		{desktop.KeyboardInput, keys("e23", "x"), `keys can push the button "Send order"`},
		{desktop.KeyboardInput, map[string]any{"keys": "x"}, "the control is not known"},
		{desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "x", "control_focus": false}, "these keys go where the input focus is"},
		{"navigate", map[string]any{"url": shop + "/table.html"}, free},
		{"navigate", map[string]any{"url": "http://elsewhere.test/?secret"}, "the URL has a host that is not on the list"},
		{"go_back", nil, free},
		{"dismiss_dialog", id("dialog"), free},
		{"accept_dialog", id("dialog"), "the control is not known"},
	} {
		v := d.judged(p, seen, test.tool, test.args)
		if test.asks == free {
			assert.Equal(t, policies.Verdict{Action: policies.Allow}, v, "%s %v", test.tool, test.args)
		} else {
			assert.Equal(t, policies.Verdict{Action: policies.Confirm, Reason: test.asks}, v, "%s %v", test.tool, test.args)
		}
	}

	d.click("e28")
	seen = d.look()
	assert.Equal(t, `it says yes to the page, which asks "Really send it?"`, d.judged(p, seen, "accept_dialog", id("dialog")).Reason)
	d.do("dismiss_dialog", id("dialog"))
	d.look()
	d.click("e29")
	seen = d.look()
	assert.Equal(t, policies.Allow, d.judged(p, seen, "accept_dialog", id("dialog")).Action, "an alert has one answer")
}

// What a link does shows in where it leads, and a switch needs no form.
func TestPolicyOfLinks(t *testing.T) {
	_, d := at(t, "form.html", nil)
	p, err := playwright.Policy(&playwright.PolicyOptions{Buttons: []string{"Show all"}})
	require.NoError(t, err)
	const script = "opens no page, so nobody knows what it does"
	for _, test := range []struct {
		typ, name, value string
		args             map[string]any
		asks             string
	}{
		{"link", "Lamps", "lamps.html", nil, ""},
		{"link", "Lamps", "?page=2 [focused]", nil, ""},
		{"link", "Lamps", "#lamps", nil, ""},
		{"link", "Lamps", "HTTPS://shop.test/lamps?a=javascript:", nil, ""},
		{"link", "Lamps", "lamps:1", nil, script},
		{"link", "Lamps", "", nil, script},
		{"link", "Lamps", "[focused]", nil, script},
		{"link", "Lamps", "# [focused]", nil, script},
		{"link", "Lamps", "javascript:buy()", nil, script},
		{"link", "Lamps", " Java script:buy()", nil, script},
		{"link", "Lamps", "mailto:all@shop.test", nil, script},
		{"link", "Lamps", "blob:http://shop.test/1", nil, script},
		{"link", "Show all", "#", nil, ""},
		{"link", "Log out", "/bye", nil, `says "out"`},
		{"link", "Unsubscribe", "/bye", nil, `says "unsubscribe"`},
		{"link", "Lamps", "lamps.html", map[string]any{"button": "right"}, "it is no plain click"},
		{"link", "Lamps", "lamps.html", map[string]any{"button": "left", "double": false}, ""},
		{"button", "Show all", "", map[string]any{"double": true}, "it is no plain click"},
		{"textbox", "Name", "", map[string]any{"button": "middle"}, "it is no plain click"},
		{"switch", "Public", "[not checked]", nil, `nobody knows what the switch "Public" "[not checked]" does`},
		{"tab", "Prices", "", nil, ""},
	} {
		args := map[string]any{"id": "e5"}
		maps.Copy(args, test.args)
		v := d.judged(p, map[string]desktop.Control{"e5": {ID: "e5", Type: test.typ, Name: test.name, Value: test.value}}, desktop.ClickInput, args)
		assert.Equal(t, test.asks == "", v.Action == policies.Allow, "%v", test)
		assert.Contains(t, v.Reason, test.asks)
	}
	only := policies.All(p, policies.Tools(desktop.ClickInput))
	seen := map[string]desktop.Control{"e5": {ID: "e5", Type: "button", Name: "Buy"}}
	assert.Equal(t, policies.Confirm, d.judged(only, seen, desktop.ClickInput, map[string]any{"id": "e5"}).Action)
	assert.Equal(t, policies.Deny, d.judged(only, seen, desktop.SetEditText, map[string]any{"id": "e5", "text": "x"}).Action)
}

func TestPolicyOptions(t *testing.T) {
	_, d := at(t, "form.html", nil)
	seen := d.look()
	p, err := playwright.Policy(nil)
	require.NoError(t, err)
	assert.Equal(t, `it opens the address "http://shop.test/"`, d.judged(p, seen, "navigate", map[string]any{"url": shop + "/"}).Reason)
	p, err = playwright.Policy(&playwright.PolicyOptions{Buttons: []string{"send ORDER"}})
	require.NoError(t, err)
	assert.Equal(t, policies.Allow, d.judged(p, seen, desktop.ClickInput, map[string]any{"id": "e23"}).Action)
	_, err = playwright.Policy(&playwright.PolicyOptions{Origins: []string{"shop.test"}})
	assert.EqualError(t, err, `playwright: Origins: "shop.test" does not begin with https:// or http://`)
}
