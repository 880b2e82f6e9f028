package job

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

var theJob = rules.Job{Warehouse: "http://stock", Supplier: "http://shop", User: "ann", Password: passwordName, Reference: "PO-1", Summary: "/out/summary.md"}

func judge(judge policies.Func, tool string, control *desktop.Control, parameters map[string]any) policies.Action {
	ctx := context.Background()
	if control != nil {
		ctx = policies.WithControl(ctx, *control)
	}
	return judge(ctx, desktop.Tool{Name: tool}, desktop.Command{ToolName: tool, Parameters: parameters}).Action
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	at := func(kind, name string) *desktop.Control { return &desktop.Control{Type: kind, Name: name} }
	text := func(s string) map[string]any { return map[string]any{"text": s} }
	warehouse, supplier := atWarehouse(theJob).judge, atSupplier(theJob).judge
	for name, c := range map[string]struct {
		judge      policies.Func
		tool       string
		control    *desktop.Control
		parameters map[string]any
		allowed    bool
	}{
		"log in":                      {warehouse, desktop.ClickInput, at("button", "Log in"), nil, true},
		"the password's name":         {warehouse, desktop.SetEditText, at("textbox", "Password"), text(passwordName), true},
		"the password elsewhere":      {warehouse, desktop.SetEditText, at("textbox", "User name"), text(passwordName), false},
		"another user":                {warehouse, desktop.SetEditText, at("textbox", "User name"), text("bob"), false},
		"next page":                   {warehouse, desktop.ClickInput, at("link", "Next page"), nil, true},
		"a button called so":          {warehouse, desktop.ClickInput, at("button", "Next page"), nil, false},
		"twice":                       {warehouse, desktop.ClickInput, at("link", "Next page"), map[string]any{"double": true}, false},
		"its menu":                    {warehouse, desktop.ClickInput, at("link", "Next page"), map[string]any{"button": "right"}, false},
		"nothing that was seen":       {warehouse, desktop.ClickInput, nil, nil, false},
		"keys":                        {warehouse, desktop.KeyboardInput, at("textbox", "Password"), map[string]any{"keys": "{ENTER}"}, false},
		"its own address":             {warehouse, "navigate", nil, map[string]any{"url": "http://stock/"}, true},
		"a link that orders":          {supplier, "navigate", nil, map[string]any{"url": "http://shop/order/quick"}, false},
		"a dialog, no":                {supplier, "dismiss_dialog", at("dialog", ""), nil, true},
		"a dialog, yes":               {supplier, "accept_dialog", at("dialog", ""), nil, false},
		"a quantity":                  {supplier, desktop.SetEditText, at("textbox", "Quantity"), text("1050"), true},
		"no number":                   {supplier, desktop.SetEditText, at("textbox", "Quantity"), text("9,999 and more"), false},
		"remove":                      {supplier, desktop.ClickInput, at("button", "Remove HB-1234"), nil, true},
		"the link called as a button": {supplier, desktop.ClickInput, at("link", sendButton), nil, false},
		"the summary":                 {onlyFile("/a"), "write_file", nil, map[string]any{"path": "/a"}, true},
		"another file":                {onlyFile("/a"), "write_file", nil, map[string]any{"path": "/b"}, false},
		"another tool":                {onlyFile("/a"), "move_file", nil, map[string]any{"path": "/a"}, false},
	} {
		want := policies.Deny
		if c.allowed {
			want = policies.Allow
		}
		assert.Equal(t, want, judge(c.judge, c.tool, c.control, c.parameters), name)
	}
}

// page is a review as the browser shows it.
func page(reference string, rows ...string) []desktop.Control {
	table := desktop.Control{Type: "table", Children: []desktop.Control{{Type: "caption", Value: "What will be ordered"}, {Type: "row", Value: "SKU | Name | Quantity"}}}
	for _, r := range rows {
		table.Children = append(table.Children, desktop.Control{Type: "row", Value: r})
	}
	return []desktop.Control{{Type: "page", Children: []desktop.Control{{Type: "paragraph", Value: "Reference: " + reference}, table, {ID: "e9", Type: "button", Name: sendButton}}}}
}

func TestReview(t *testing.T) {
	t.Parallel()
	o, problem := review(page("PO-1", "HB-1234 | Bolt | 1,050", "HN-1000 | a | b \u202e | 5"))
	assert.Empty(t, problem)
	assert.Equal(t, `reference "PO-1", and 1,050 of HB-1234 "Bolt", 5 of HN-1000 "a | b \u202e"`, o.text)

	more := func(list []desktop.Control, c ...desktop.Control) []desktop.Control { return append(c, list...) }
	good := page("PO-1", "HB-1234 | Bolt | 5")
	for name, bad := range map[string][]desktop.Control{
		"no line":               page("PO-1"),
		"two references":        more(good, desktop.Control{Type: "paragraph", Value: "Reference: PO-0"}),
		"two tables":            more(good, page("", "HN-1000 | Nut | 7")[0].Children[1]),
		"hidden digits":         page("PO-1", "HB-1234 | Bolt | 1\u200b5"),
		"an article of no form": page("PO-1", "all | Bolt | 5"),
		"a part of the page":    more(good, desktop.Control{Type: "note", Value: "part 1 of 2 of the page"}),
		"no page":               nil,
	} {
		_, problem := review(bad)
		assert.NotEmpty(t, problem, name)
	}
}

// shop is a browser that shows a page.
type shop struct{ page []desktop.Control }

func (s *shop) Tools(context.Context) ([]desktop.Tool, error) {
	tree, _ := desktop.ToolNamed(desktop.GetUITree)
	click, _ := desktop.ToolNamed(desktop.ClickInput)
	return []desktop.Tool{tree, click}, nil
}

func (s *shop) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	if cmd.ToolName == desktop.GetUITree {
		return desktop.JSONResult(s.page)
	}
	return desktop.Result{}, errors.New("the browser is gone")
}

// The button is pressed with a yes for what the page shows, and once.
func TestSender(t *testing.T) {
	t.Parallel()
	yes := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Approved: true}, nil
	})
	site := &shop{page("PO-1", "HB-1234 | Bolt | 5")}
	send := &sender{shop: site, reference: "PO-1", rest: atSupplier(theJob).judge, user: yes}
	button := &desktop.Control{ID: "e9", Type: "button", Name: sendButton}
	press := func() policies.Action {
		return judge(send.judge, desktop.ClickInput, button, map[string]any{"id": "e9"})
	}
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "e9"}}

	site.page = page("PO-2", "HB-1234 | Bolt | 5")
	assert.Equal(t, policies.Deny, press(), "another reference")
	site.page = nil
	assert.Equal(t, policies.Deny, press(), "another page")
	site.page = page("PO-1", "HB-1234 | Bolt | 5")
	assert.Equal(t, policies.Confirm, press())
	_, err := send.Ask(t.Context(), people.Question{Command: &click})
	require.NoError(t, err)
	site.page = page("PO-1", "HB-1234 | Bolt | 500")
	assert.Equal(t, policies.Deny, press(), "another order than was approved")
	assert.Equal(t, policies.Confirm, press(), "which is asked about anew")
	_, err = send.Ask(t.Context(), people.Question{Command: &click})
	require.NoError(t, err)
	assert.Equal(t, policies.Confirm, press())
	_, err = send.watch(site).Execute(t.Context(), click)
	require.Error(t, err)
	assert.Equal(t, policies.Deny, press(), "it was pressed, whatever came of it")
	assert.Equal(t, 2, send.approvals)

	nobody := &sender{shop: site, reference: "PO-1"}
	_, err = nobody.Ask(t.Context(), people.Question{Command: &click})
	assert.ErrorIs(t, err, people.ErrNobody)
}
