package playwright_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
)

// What a model is shown of the recorded pages.
func TestTrees(t *testing.T) {
	for _, name := range []string{"form", "table", "second"} {
		t.Run(name, func(t *testing.T) {
			_, d := at(t, name+".html", nil)
			tree := d.do(desktop.GetUITree, nil)
			lines := strings.NewReplacer(`{"id"`, "\n"+`{"id"`).Replace(tree) + "\n"
			golden(t, "testdata/trees/"+name+".json", lines)
			assert.Less(t, len(tree), 6000)
		})
	}
}

// golden compares with a file. PLAYWRIGHT_WRITE=1 writes it.
func golden(t *testing.T, file, now string) {
	t.Helper()
	if os.Getenv("PLAYWRIGHT_WRITE") != "" {
		require.NoError(t, os.WriteFile(file, []byte(now), 0o600))
	}
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(string(was), "\r\n", "\n"), now)
}

func TestTexts(t *testing.T) {
	_, d := at(t, "table.html", nil)
	text := d.do(desktop.Texts, map[string]any{"id": "page"})
	assert.Contains(t, text, "\n 1003 | Dan | 2026-03-04 | 31.10 EUR | paid | Delete\n")
	seen := d.look()
	for id, c := range seen {
		if c.Type == "row" && strings.Contains(c.Value, "1003") {
			assert.Equal(t, "1003 | Dan | 2026-03-04 | 31.10 EUR | paid | Delete", d.do(desktop.Texts, map[string]any{"id": id}))
		}
	}

	_, d = at(t, "form.html", nil)
	assert.NotContains(t, d.do(desktop.Texts, map[string]any{"id": "e9"}), "hunter2")
}

func TestWindow(t *testing.T) {
	f, d := at(t, "form.html", &playwright.Options{Name: "shop"})
	want := desktop.Window{ID: "1", Root: "shop", Process: "1", Title: "New order http://shop.test/form.html", Focused: true, Focus: "e1"}
	assert.Equal(t, want, d.window())
	list, err := desktop.Windows(t.Context(), d.Desktop)
	require.NoError(t, err)
	assert.Equal(t, []desktop.Window{want}, list)
	_, err = desktop.Scope(t.Context(), d.Desktop, "2")
	assert.ErrorContains(t, err, "there is no such window")
	img, err := desktop.Screenshot(t.Context(), d.Desktop, desktop.CaptureWindowScreenshot)
	require.NoError(t, err)
	assert.Equal(t, f.shot, img.Data)
}

// A long page is shown in parts.
func TestParts(t *testing.T) {
	f, d := at(t, "form.html", nil)
	var rows strings.Builder
	for i := range 300 {
		fmt.Fprintf(&rows, "\n  - row [ref=e%d]:\n    - cell \"Row %d\" [ref=e%d]\n    - cell [ref=e%d]:\n      - button \"Open\" [ref=e%d]", 10*i+10, i, 10*i+11, 10*i+12, 10*i+13)
	}
	f.serve(shop+"/long", "Long", "- table [ref=e1]:"+rows.String())
	d.do("navigate", map[string]any{"url": shop + "/long"})

	found := map[string]bool{}
	seen := d.look()
	require.Equal(t, `part 1 of 3 of the page; show_part shows another`, seen["parts"].Value)
	for part := 1; part <= 3; part++ {
		d.do("show_part", map[string]any{"part": part})
		assert.LessOrEqual(t, len(d.do(desktop.GetUITree, nil)), 17_000)
		for id := range d.look() {
			found[id] = true
		}
	}
	assert.Len(t, found, 3+2*300, "page, parts, table, and rows with their buttons")
	assert.Contains(t, d.noClick("e13v2"), "was not shown", "it is in the first part")
	d.do("show_part", map[string]any{"part": 99})
	assert.Contains(t, d.look()["parts"].Value, "part 3 of 3")
	d.do("navigate", map[string]any{"url": shop + "/form.html"})
	assert.Contains(t, d.look(), "e5", "of another page the beginning")
}

func TestOrigins(t *testing.T) {
	only := &playwright.Options{Origins: []string{shop}}
	t.Run("navigate", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		for url, why := range map[string]string{
			"http://elsewhere.test/":                  "the URL has a host that is not on the list",
			"https://shop.test/":                      "the URL has a scheme that is not on the list",
			"http://shop.test:8080/":                  "the URL has a port that is not on the list",
			"http://shop.test@elsewhere.test/":        "the URL has a user in front of its host",
			`http://shop.test\@elsewhere.test/`:       "the URL has a backslash",
			"http://elsewhere.test/?http://shop.test": "the URL has a host that is not on the list",
			"about:blank":                             "the URL must begin with https:// or http://",
		} {
			assert.Equal(t, why, d.refused("navigate", map[string]any{"url": url}), url)
		}
		assert.Empty(t, f.took())
	})
	t.Run("a link", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		leads := "the link leads to http://elsewhere.invalid, which is not on the list of origins"
		assert.Equal(t, leads, d.noClick("e43"))
		assert.Equal(t, leads, d.refused(desktop.KeyboardInput, map[string]any{"id": "e43", "keys": "{ENTER}"}))
		assert.Empty(t, f.took(), "nothing was requested")
		assert.Equal(t, "clicked; the page is http://shop.test/table.html now", d.do(desktop.ClickInput, map[string]any{"id": d.named("link", "Orders")}))
	})
	t.Run("links", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		f.serve(shop+"/icons", "Icons", `- link "Shop" [ref=e1]:
  - /url: //elsewhere.test/?secret=1
- link "Script" [ref=e3]:
  - /url: javascript:void(0)
- link "Broken" [ref=e4]:
  - /url: http://[`)
		d.do("navigate", map[string]any{"url": shop + "/icons"})
		d.look()
		f.took()
		assert.Contains(t, d.noClick("e1"), "the link leads to http://elsewhere.test,")
		assert.Equal(t, "where the link leads cannot be read", d.noClick("e4"))
		assert.Empty(t, f.took())
		d.do(desktop.ClickInput, map[string]any{"id": "e3"})
	})
	t.Run("a button", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		assert.Equal(t, "the page http://elsewhere.test/ is not of an origin on the list and was left", d.noClick("e32"))
		assert.Equal(t, []string{`browser_click {"element":"button Leave","target":"e32"}`, `browser_navigate {"url":"about:blank"}`}, f.took())
		assert.Equal(t, "about:blank", d.look()["page"].Value, "which is no lost browser")
		assert.Contains(t, d.noClick("e2"), "was not shown")
	})
	t.Run("by itself", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		f.change(func() { f.open("http://elsewhere.test/") })
		assert.Contains(t, d.blind(), "was left")
	})
	t.Run("with dialogs", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		f.change(func() {
			f.open("http://elsewhere.test/")
			f.dialog("beforeunload", "Stay?", func(yes bool, _ string) {
				assert.True(t, yes, "it must let go")
				f.dialog("confirm", "Pay?", func(yes bool, _ string) { assert.False(t, yes) })
			})
		})
		assert.Contains(t, d.blind(), "was left")
		assert.Equal(t, "about:blank", d.look()["page"].Value)
	})
	t.Run("with dialogs for ever", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		var again func(bool, string)
		again = func(bool, string) { f.dialog("confirm", "Pay?", again) }
		f.change(func() { f.open("http://elsewhere.test/"); again(false, "") })
		assert.Equal(t, "the page is not of an origin on the list and could not be left", d.blind())
		assert.Equal(t, "the page is not of an origin on the list and could not be left", d.refused(desktop.Texts, map[string]any{"id": "page"}))
	})
	t.Run("a tab", func(t *testing.T) {
		f, d := at(t, "form.html", only)
		f.change(func() {
			f.tabs = append(f.tabs, &tab{page: f.copy("http://elsewhere.test/")})
			f.tabs[1].page.title = "Shop](http://shop.test/) "
		})
		d.look()
		assert.Contains(t, d.refused("select_tab", map[string]any{"id": "tab1"}), "the page http://elsewhere.test/ is not of an origin on the list and was left")
	})
	t.Run("frames", func(t *testing.T) {
		_, d := at(t, "form.html", only)
		seen := d.look()
		assert.Equal(t, "[what is inside is not shown]", seen["e36"].Value)
		assert.NotContains(t, seen, "f1e3")
		assert.Contains(t, d.noClick("f1e3"), "was not shown")
		assert.NotContains(t, d.do(desktop.Texts, map[string]any{"id": "page"}), "Buy")
		assert.Contains(t, d.refused(desktop.Texts, map[string]any{"id": "f1e3"}), "there is no control")
	})
}

// A browser that was closed is not worked on as if nothing had been.
func TestLost(t *testing.T) {
	const lost = "the browser was closed; the page is lost, and with it what was filled in and perhaps the login"
	t.Run("the desktop", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.kill()
		assert.Equal(t, lost, d.noClick("e28"))
		assert.Equal(t, lost, d.blind())
		assert.Equal(t, lost, d.blind(), "until somebody opens a page")
		assert.Equal(t, lost, d.refused("go_back", nil))
		assert.Equal(t, desktop.Window{ID: "2", Root: "browser", Process: "2", Title: "browser", Focused: true}, d.window())
		assert.Equal(t, "opened; the page is http://shop.test/table.html now", d.do("navigate", map[string]any{"url": shop + "/table.html"}))
		assert.Equal(t, "Orders", d.look()["page"].Name)
	})
	t.Run("a window of it", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		scoped, err := desktop.Scope(t.Context(), d.Desktop, "1")
		require.NoError(t, err)
		first := hand{TB: t, Desktop: scoped}
		first.look()
		f.kill()
		assert.Equal(t, lost, first.gone(desktop.GetAppWindow, nil), "by which an AppAgent sees that its window is gone")
		assert.Equal(t, "2", d.window().ID)
		_, err = desktop.Scope(t.Context(), d.Desktop, "1")
		require.Error(t, err)
		scoped, err = desktop.Scope(t.Context(), d.Desktop, "2")
		require.NoError(t, err)
		second := hand{TB: t, Desktop: scoped}
		assert.Equal(t, "New order", second.look()["page"].Name, "Home, for whoever chose the new window")
		assert.Equal(t, lost, first.gone(desktop.GetUITree, nil))
		assert.Equal(t, lost, first.gone("navigate", map[string]any{"url": shop}))
		windows, err := desktop.Windows(t.Context(), scoped)
		require.NoError(t, err)
		assert.Equal(t, "2", windows[0].ID)
	})
	t.Run("a window of it, by an act", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		for _, args := range []map[string]any{{"keys": "{Tab}x"}, {"keys": "x"}} {
			scoped, err := desktop.Scope(t.Context(), d.Desktop, d.window().ID)
			require.NoError(t, err)
			first := hand{TB: t, Desktop: scoped}
			first.look()
			f.kill()
			assert.Contains(t, first.gone(desktop.KeyboardInput, args), lost)
		}
	})
	t.Run("during an act", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.change(func() { f.tabs[0].page.click["e32"] = func(f *fake, _ *page) { f.closed = true } })
		assert.Equal(t, lost, d.noClick("e32"))
	})
	t.Run("unseen by navigate", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.kill()
		assert.Equal(t, lost, d.refused("navigate", map[string]any{"url": shop + "/table.html"}))
		d.do("navigate", map[string]any{"url": shop + "/table.html"})
	})
}
