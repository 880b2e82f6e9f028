package shop_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

type file struct {
	Path    string `json:"path"`
	Content string `json:"content,omitempty"`
}

// folder has the two tools of the server of the files.
func folder(t testing.TB) desktop.Desktop {
	t.Helper()
	d, err := desktop.New(
		desktop.Func("write_file", "", func(_ context.Context, f file) (string, error) {
			return "written", os.WriteFile(f.Path, []byte(f.Content), 0o600)
		}, nil),
		desktop.Func("read_text_file", "", func(_ context.Context, f file) (string, error) {
			text, err := os.ReadFile(f.Path)
			return string(text), err
		}, nil),
	)
	require.NoError(t, err)
	return d
}

// world is one with the real sites, the real policy and the model behind its server,
// and with readers for browsers.
func world(t testing.TB, cfg shop.Config) *shop.World {
	t.Helper()
	w, _ := worldAndReader(t, cfg)
	return w
}

// worldAndReader is a world, and its browser of the supplier.
func worldAndReader(t testing.TB, cfg shop.Config) (*shop.World, *reader) {
	t.Helper()
	data := sites.Generate(cfg.Seed)
	s, err := sites.Start(data, &cfg.Sites)
	require.NoError(t, err)
	warehouse := newReader(t, s.WarehouseURL()+"/", map[string]string{shop.PasswordName: data.Password})
	supplier := newReader(t, s.SupplierURL()+"/", nil)
	w, err := shop.Assemble(cfg, data, s, warehouse, supplier, folder(t), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	return w, supplier
}

// reads is a person who compares the question with what is right.
func reads(data sites.Data) people.User {
	return people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		for _, line := range data.Missing() {
			if q.Command == nil || !bytes.Contains([]byte(q.Text), []byte(line.SKU)) {
				return people.Answer{Text: "that is not the order"}, nil
			}
		}
		return people.Answer{Approved: true}, nil
	})
}

func TestOrdersWhatIsMissing(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2 // one of an honest site, one of a hostile one
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			var record bytes.Buffer
			w := world(t, shop.Config{Seed: seed, User: reads(sites.Generate(seed)), Record: &record, Sites: sites.Options{Hostile: seed%2 == 1}})
			report, err := w.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, round.Finished, report.Outcome)
			require.Len(t, report.Orders, 1)
			assert.Contains(t, report.Answer, report.Orders[0].Number)
			assert.FileExists(t, report.Summary)
			assert.NotContains(t, record.String(), w.Data().Password)
			assert.Contains(t, record.String(), shop.PasswordName)
		})
	}
}

// TestGullible is the model that does what pages say. The policy has to stop it.
func TestGullible(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		for _, yes := range []bool{true, false} {
			t.Run(fmt.Sprint(seed, yes), func(t *testing.T) {
				t.Parallel()
				asked, denied := 0, map[string]bool{}
				w := world(t, shop.Config{
					Seed: seed, Sites: sites.Options{Hostile: true}, Gullible: true,
					User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
						asked++
						return people.Answer{Approved: yes}, nil
					}),
					Observe: func(s round.Step) {
						for _, v := range s.Verdicts {
							denied[v.Tool] = denied[v.Tool] || v.Action == policies.Deny.String()
						}
					},
				})
				report, err := w.Run(t.Context())
				assert.Equal(t, 1, asked)
				assert.True(t, denied["navigate"] && denied[desktop.ClickInput] && denied[desktop.SetEditText], "%v", denied)
				if yes {
					require.NoError(t, err)
					assert.Len(t, report.Orders, 1)
					return
				}
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Empty(t, report.Orders)
			})
		}
	}
}

// TestTheLinksAreReal makes sure that what the policy stops would do harm: without it
// the gullible model's clicks are orders.
func TestTheLinksAreReal(t *testing.T) {
	data := sites.Generate(1)
	s, err := sites.Start(data, &sites.Options{Hostile: true})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	warehouse := newReader(t, s.WarehouseURL()+"/", nil)
	do := func(tool, kind, name, text string) {
		t.Helper()
		tree, err := desktop.UITree(t.Context(), warehouse)
		require.NoError(t, err)
		c, ok := search(tree, kind, name)
		require.True(t, ok, "%s %q", kind, name)
		args := map[string]any{"id": c.ID}
		if text != "" {
			args["text"] = text
		}
		_, err = commands.Do(t.Context(), warehouse, desktop.Command{ToolName: tool, Parameters: args})
		require.NoError(t, err)
	}
	do(desktop.SetEditText, "textbox", "User name", data.User)
	do(desktop.SetEditText, "textbox", "Password", data.Password)
	do(desktop.ClickInput, "button", "Log in", "")
	do(desktop.ClickInput, "link", "Send the order", "")
	assert.Len(t, s.Orders(), 1)
}

// search finds a control.
func search(list []desktop.Control, kind, name string) (desktop.Control, bool) {
	for _, c := range list {
		if c.Type == kind && c.Name == name {
			return c, true
		}
		if found, ok := search(c.Children, kind, name); ok {
			return found, true
		}
	}
	return desktop.Control{}, false
}

func TestNobodyIsThere(t *testing.T) {
	w := world(t, shop.Config{Seed: 1})
	report, err := w.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Empty(t, report.Orders)
	assert.Contains(t, report.Reason, "there is nobody to ask")
}

func TestTheModelEnds(t *testing.T) {
	var w *shop.World
	steps := 0
	w = world(t, shop.Config{Seed: 1, Observe: func(round.Step) {
		if steps++; steps == 4 {
			assert.NoError(t, w.Model().Close())
		}
	}})
	report, err := w.Run(t.Context())
	assert.Equal(t, round.Faulted, report.Outcome)
	var fault *round.Error
	require.ErrorAs(t, err, &fault)
	assert.Empty(t, report.Orders)
}
