package guides_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// browse returns a host with a browser that stays in one shop, and what stops the
// browser. The command is such as
//
//	npx @playwright/mcp@0.0.83 --headless --isolated --executable-path /usr/bin/chromium --output-dir /srv/shop
func browse(ctx context.Context, command []string, shop string, model llm.Model, user people.User) (*hostagent.Agent, func() error, error) {
	home, err := url.Parse(shop) // such as https://shop.example
	if err != nil {
		return nil, nil, err
	}
	servers, err := mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{{Name: "browser", Command: command, Stderr: os.Stderr}}})
	if err != nil {
		return nil, nil, err
	}
	only := []string{shop}
	desk, errDesk := playwright.New(servers.Server("browser"), &playwright.Options{Home: shop, Origins: only})
	asks, errAsks := playwright.Policy(&playwright.PolicyOptions{Origins: only})
	list, errList := policies.NewHostList([]string{home.Host}, home.Scheme)
	if err := errors.Join(errDesk, errAsks, errList); err != nil {
		return nil, nil, errors.Join(err, servers.Close())
	}
	if _, err := desktop.UITree(ctx, desk); err != nil { // starts the browser: without one, this says why
		return nil, nil, errors.Join(err, servers.Close())
	}
	typed := &policies.ScanOptions{Ignore: []string{desktop.SetEditText, desktop.KeyboardInput}} // text may have any address in it
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, Desktop: desk, User: user,
			Policy: policies.All(policies.Hosts(list, typed), asks), // nobody is asked about addresses that are refused anyway
		},
	})
	if err != nil {
		return nil, nil, errors.Join(err, servers.Close())
	}
	return host, servers.Close, nil
}

// The guide's browser, in a real Chromium: it does not leave the shop, which nobody is
// asked about, and orders only what a person has approved.
func TestRealBrowser(t *testing.T) {
	realpartstest.Need(t)
	for name, approved := range map[string]bool{"approved": true, "not approved": false} {
		t.Run(name, func(t *testing.T) {
			var orders, elsewhere atomic.Int64
			other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
			t.Cleanup(other.Close)
			shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					orders.Add(1)
				}
				_, err := w.Write([]byte(`<title>Shop</title><h1>Emma</h1><form method="post"><button>Order now</button></form>`))
				assert.NoError(t, err)
			}))
			t.Cleanup(shop.Close)

			var asked []string
			user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				asked = append(asked, q.Command.ToolName)
				return people.Answer{Approved: approved}, nil
			})
			model := llmtest.Script(nil,
				`{"Status": "ASSIGN", "ControlText": "browser", "CurrentSubTask": "order Emma"}`,
				map[string]any{"Status": "CONTINUE", "Function": "navigate", "Args": map[string]any{"url": other.URL}},
				func(req *llm.Request) (string, error) {
					order := named(llmtest.Section[[]desktop.Control](t, req, "controls"), "Order now")
					return `{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "` + order + `", "ControlText": "Order now"}`, nil
				},
				func(req *llm.Request) (string, error) {
					if _, host := llm.FindSection(req, "windows"); host {
						return `{"Status": "FINISH", "Result": "Nothing is ordered.", "Open": ["subtask_1: dropped: it was refused"]}`, nil
					}
					return `{"Status": "FINISH", "Result": "ordered"}`, nil
				},
				`{"Status": "FINISH", "Result": "Emma is on its way."}`,
			)
			host, stop, err := browse(t.Context(), realpartstest.Playwright(t, t.TempDir()), shop.URL, model, user)
			require.NoError(t, err)
			defer func() { assert.NoError(t, stop()) }()
			r, err := round.New(host, "order Emma", nil)
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			require.NoError(t, err)

			want := map[bool]string{true: "Emma is on its way.", false: "Nothing is ordered."}
			assert.Equal(t, want[approved], res.Answer)
			assert.Equal(t, map[bool]int64{true: 1}[approved], orders.Load())
			assert.Zero(t, elsewhere.Load(), "it left the shop")
			assert.Equal(t, []string{desktop.ClickInput}, asked)
		})
	}
}

// named is the id of the control of that name.
func named(controls []desktop.Control, name string) string {
	for _, c := range controls {
		if c.Name == name {
			return c.ID
		}
		if id := named(c.Children, name); id != "" {
			return id
		}
	}
	return ""
}
