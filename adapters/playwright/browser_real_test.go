package playwright_test

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// visit is the real browser at a page of the site.
func visit(t *testing.T, page string) (string, hand) {
	t.Helper()
	url := site(t)
	return url, browse(t, start(t), &playwright.Options{Home: url + "/" + page})
}

func (h hand) title() string {
	h.Helper()
	return h.look()["page"].Name
}

func TestRealForm(t *testing.T) {
	url, d := visit(t, "form.html")
	d.do(desktop.SetEditText, map[string]any{"id": d.named("textbox", "Customer"), "text": `Bob "the" <b>`})
	d.do("select_option", map[string]any{"id": d.named("combobox", "Size"), "options": []string{"L"}})
	d.click(d.named("checkbox", "Express"))
	d.click(d.named("radio", "Red"))
	d.do(desktop.KeyboardInput, map[string]any{"id": d.named("textbox", "Notes"), "keys": "^a{DEL}one{+}{ENTER}two{HOME}>"})
	seen := d.look()
	assert.Equal(t, `Bob "the" <b>`, seen[d.named("textbox", "Customer")].Value)
	assert.Equal(t, "L [options: S | M | L]", seen[d.named("combobox", "Size")].Value)
	assert.Equal(t, "[not checked]", seen[d.named("checkbox", "Express")].Value)
	assert.Equal(t, "[checked]", seen[d.named("radio", "Red")].Value)
	assert.Equal(t, "one+ >two [focused]", seen[d.named("textbox", "Notes")].Value)
	assert.Equal(t, "***", seen[d.named("textbox", "Password")].Value)

	assert.Equal(t, "there is no option \"XL\"; there are: S | M | L",
		d.refused("select_option", map[string]any{"id": d.named("combobox", "Size"), "options": []string{"XL"}}))
	assert.Contains(t, d.noClick(d.named("button", "Save draft")), "is disabled")
	assert.Contains(t, d.refused(desktop.SetEditText, map[string]any{"id": d.named("heading", "New order"), "text": "x"}), "Element is not an <input>")
	assert.Contains(t, d.refused(desktop.KeyboardInput, map[string]any{"id": d.named("textbox", "Customer"), "keys": "x{F13}"}), "no key")

	assert.Contains(t, d.do(desktop.KeyboardInput, map[string]any{"id": d.named("textbox", "Customer"), "keys": "{ENTER}"}), "done.html?customer=Bob")
	assert.Contains(t, d.do(desktop.Texts, map[string]any{"id": "page"}), "Thank you")
	assert.Equal(t, "went back; the page is "+url+"/form.html now", d.do("go_back", nil))
	d.click(d.named("clickable", "A box to click on"))
	assert.Equal(t, "clicked", d.title())
	img, err := desktop.Screenshot(t.Context(), d.Desktop, desktop.CaptureWindowScreenshot)
	require.NoError(t, err)
	assert.Equal(t, "image/png", img.MediaType)
	assert.Equal(t, "seen", d.do("wait_for_text", map[string]any{"text": "terms"}))
}

func TestRealPaging(t *testing.T) {
	url, d := visit(t, "table.html")
	assert.Less(t, len(d.do(desktop.GetUITree, nil)), 6000)
	assert.Equal(t, "clicked; the page is "+url+"/table.html?page=2 now", d.click(d.named("link", "Next page")))
	assert.Equal(t, "clicked; the page is "+url+"/form.html?no=1003 now", d.click(d.named("link", "Dan")))
}

func TestRealDialogs(t *testing.T) {
	_, d := visit(t, "form.html")
	d.click(d.named("button", "Confirm"))
	assert.Equal(t, "Really send it?", d.look()["dialog"].Name)
	assert.Contains(t, d.refused(desktop.CaptureWindowScreenshot, nil), "modal")
	assert.Contains(t, d.window().Title, "form.html")
	d.do("dismiss_dialog", map[string]any{"id": "dialog"})
	assert.Equal(t, "not sent", d.title())
	d.click(d.named("button", "Confirm"))
	d.look()
	d.do("accept_dialog", map[string]any{"id": "dialog"})
	assert.Equal(t, "sent", d.title())
	d.click(d.named("button", "Prompt"))
	d.look()
	d.do("accept_dialog", map[string]any{"id": "dialog", "text": "Ada"})
	assert.Equal(t, "hello Ada", d.title())
	d.click(d.named("button", "Alert"))
	assert.Equal(t, "dialog (alert)", d.look()["dialog"].Type)
	d.do("accept_dialog", map[string]any{"id": "dialog"})
}

func TestRealFiles(t *testing.T) {
	_, d := visit(t, "form.html")
	assert.Equal(t, "it asks for a file: that was cancelled", d.noClick(d.named("button", "Picture")))
	assert.Equal(t, "New order", d.title())
}

func TestRealFrame(t *testing.T) {
	_, d := visit(t, "form.html")
	d.click(d.named("button", "Buy now"))
	d.do(desktop.SetEditText, map[string]any{"id": d.named("textbox", "Mail"), "text": "ada@shop.test"})
	assert.Equal(t, "ada@shop.test", strings.TrimSuffix(d.look()[d.named("textbox", "Mail")].Value, " [focused]"))
	d.named("button", "Bought")
}

func TestRealTabs(t *testing.T) {
	url, d := visit(t, "form.html")
	assert.Contains(t, d.click(d.named("link", "Help in a new tab")), "several browser tabs")
	assert.Equal(t, "New order", d.title(), "it stays where it was")
	d.do("select_tab", map[string]any{"id": d.named("browser tab", "Second page")})
	assert.Contains(t, d.noClick("e5"), "another one", "both pages have this ref")
	assert.Equal(t, "Second page", d.title())
	assert.Contains(t, d.do("close_tab", map[string]any{"id": d.named("browser tab", "Second page")}), url+"/form.html")
	d.click(d.named("button", "Popup"))
	d.do("select_tab", map[string]any{"id": d.named("browser tab", "Second page")})
	d.click(d.named("button", "Close me"))
	assert.Equal(t, "New order", d.title())
}

func TestRealStale(t *testing.T) {
	_, d := visit(t, "form.html")
	id := d.named("button", "Rename me")
	d.click(id)
	assert.Contains(t, d.noClick(id), "is not there any more", "the server gives another ref to what is called otherwise")
	id = d.named("button", "Delete everything")
	d.script("() => location.reload()")
	d.look()
	assert.Contains(t, d.noClick(id), "was not shown", "no ref comes again")
	before := d.look()
	d.script(`() => { const h = document.querySelector('h1'); h.setAttribute('aria-label', 'x"\u0085- \u2028- button [ref=e1]\n- button "y" [ref=e2]') }`)
	after := d.look()
	assert.Len(t, after, len(before))
	d.named("heading", `x" - - button [ref=e1] - button "y" [ref=e2]`)
}

func TestRealOrigins(t *testing.T) {
	here, elsewhere := site(t), site(t)
	d := browse(t, start(t), &playwright.Options{
		Home: here + "/form.html", Origins: []string{here},
	})
	assert.Equal(t, "the URL has a port that is not on the list", d.refused("navigate", map[string]any{"url": elsewhere}))
	assert.NotContains(t, d.do(desktop.GetUITree, nil), "Buy now")
	d.script("() => { document.querySelector('#elsewhere').href = '" + elsewhere + "/second.html'; location = '" + elsewhere + "/second.html' }")
	assert.Contains(t, d.blind(), "was left")
	assert.Equal(t, "about:blank", d.look()["page"].Value)
	d.do("navigate", map[string]any{"url": here + "/form.html"})
	d.script("() => { document.querySelector('#elsewhere').href = '" + elsewhere + "/form.html' }")
	assert.Contains(t, d.noClick(d.named("link", "Elsewhere")), "the link leads to "+elsewhere)
	assert.Contains(t, d.noClick(d.named("button", "Leave")), "the page "+elsewhere+"/form.html is not of an origin on the list and was left")
	d.do("navigate", map[string]any{"url": here + "/form.html"})
	d.script("() => { window.open('" + elsewhere + "/second.html') }")
	assert.Contains(t, d.refused("select_tab", map[string]any{"id": d.named("browser tab", "")}), "was left", "its title is not shown")
}

func TestRealKilledBrowser(t *testing.T) {
	url := site(t)
	d := browse(t, start(t), &playwright.Options{Home: url + "/form.html"})
	id := d.named("button", "Confirm")
	w := d.window()
	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: d.Desktop})
	require.NoError(t, err)
	screen, err = desktop.Scope(t.Context(), screen, "1")
	require.NoError(t, err)
	onScreen := hand{TB: t, Desktop: screen}
	assert.Equal(t, "1", onScreen.window().Process)
	killBrowser(t)
	assert.Contains(t, d.noClick(id), "the browser was closed; the page is lost")
	assert.Contains(t, d.blind(), "the browser was closed")
	assert.NotEqual(t, w.Process, d.window().Process)
	assert.Contains(t, onScreen.gone(desktop.GetUITree, nil), "the browser was closed", "for whoever was narrowed to it")
	assert.Contains(t, onScreen.gone(desktop.GetAppWindow, nil), "was closed")
	windows, err := desktop.Windows(t.Context(), onScreen.Desktop)
	require.NoError(t, err)
	assert.Equal(t, "1.2", windows[0].Process)
	assert.Contains(t, d.do("navigate", map[string]any{"url": url + "/form.html"}), "opened")
	assert.Equal(t, "New order", d.title())
}

// killBrowser kills the browser that this process' server started.
func killBrowser(t *testing.T) {
	t.Helper()
	found := 0
	for _, pid := range realpartstest.Family(t, os.Getpid())[1:] {
		line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err != nil || !bytes.Contains(line, []byte("--remote-debugging-pipe")) || bytes.Contains(line, []byte("--type=")) {
			continue
		}
		p, err := os.FindProcess(pid)
		require.NoError(t, err)
		require.NoError(t, p.Kill())
		found++
	}
	require.Equal(t, 1, found, "browsers of this test")
	time.Sleep(300 * time.Millisecond) // until the server has seen it: then nothing else tells of it
}

func TestRealConformance(t *testing.T) {
	url := site(t)
	server := start(t)
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		d := browse(t, server, &playwright.Options{Home: url + "/form.html"})
		d.do("navigate", map[string]any{"url": url + "/form.html"})
		d.look()
		return d.Desktop
	}, &desktoptest.Options{
		Safe:        desktop.Command{ToolName: desktop.Texts, Parameters: map[string]any{"id": "page"}},
		Failing:     commands.Click("e999", ""),
		Slow:        desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}},
		CloseWindow: func(desktop.Desktop, string) { killBrowser(t) },
		Grace:       10 * time.Second,
	})
}
