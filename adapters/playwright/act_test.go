package playwright_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

func TestActs(t *testing.T) {
	for _, test := range []struct {
		name, tool string
		args       map[string]any
		calls      []string
		says       string
	}{
		{
			"click", desktop.ClickInput, map[string]any{"id": "e25", "name": "terms"},
			[]string{`browser_click {"element":"link terms","target":"e25"}`}, "clicked; the page is http://shop.test/second.html now",
		},
		{
			"double click", desktop.ClickInput, map[string]any{"id": "e33", "button": "right", "double": true},
			[]string{`browser_click {"button":"right","doubleClick":true,"element":"button Rename me","target":"e33"}`}, "clicked",
		},
		{
			"text", desktop.SetEditText, map[string]any{"id": "e5", "text": "Bob\n{ENTER}"},
			[]string{`browser_type {"element":"textbox Customer","target":"e5","text":"Bob\n{ENTER}"}`}, "set",
		},
		{
			"keys", desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "a{+}b^c{ENTER}"},
			[]string{
				`browser_type {"element":"textbox Customer","slowly":true,"target":"e5","text":"a+b"}`,
				`browser_press_key {"key":"Control+c"}`, `browser_press_key {"key":"Enter"}`,
			}, "typed; the page is http://shop.test/second.html now",
		},
		{
			"focus first", desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "+{TAB}é"},
			[]string{
				`browser_type {"element":"textbox Customer","slowly":true,"target":"e5","text":""}`,
				`browser_press_key {"key":"Shift+Tab"}`, `browser_press_key {"key":"é"}`,
			}, "typed",
		},
		{
			"where the focus is", desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "%{F4}", "control_focus": false},
			[]string{`browser_press_key {"key":"Alt+F4"}`}, "typed",
		},
		{
			"option", "select_option", map[string]any{"id": "e17", "options": []string{"L"}},
			[]string{`browser_select_option {"element":"combobox Size","target":"e17","values":["L"]}`}, "chosen",
		},
		{
			"navigate", "navigate", map[string]any{"url": shop + "/table.html"},
			[]string{`browser_navigate {"url":"http://shop.test/table.html"}`}, "opened; the page is http://shop.test/table.html now",
		},
		{
			"new tab", desktop.ClickInput, map[string]any{"id": "e26"},
			[]string{`browser_click {"element":"link Help in a new tab","target":"e26"}`}, "clicked; there are several browser tabs",
		},
		{
			"dialog", desktop.ClickInput, map[string]any{"id": "e28"},
			[]string{`browser_click {"element":"button Confirm","target":"e28"}`}, "clicked; a dialog is open (confirm): Really send it?",
		},
		{
			"wait", "wait_for_text", map[string]any{"text": "Customer"},
			[]string{`browser_wait_for {"text":"Customer"}`}, "seen",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, d := at(t, "form.html", nil)
			assert.Equal(t, test.says, d.do(test.tool, test.args))
			assert.Equal(t, test.calls, takeAll(f, "browser_tabs"))
		})
	}
}

// What is refused never reaches the page.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		name, tool string
		args       map[string]any
		says       string
	}{
		{"not shown", desktop.ClickInput, map[string]any{"id": "e99"}, `the control "e99" was not shown by the last look at the page`},
		{"a selector", desktop.ClickInput, map[string]any{"id": "#confirm"}, `the control "#confirm" was not shown by the last look at the page`},
		{"no element", desktop.ClickInput, map[string]any{"id": "page"}, `with the control "page" nothing can be done`},
		{"another name", desktop.ClickInput, map[string]any{"id": "e33", "name": "Save"}, `the control e33 is called "Rename me"`},
		{"disabled", desktop.ClickInput, map[string]any{"id": "e22"}, "the control e22 is disabled"},
		{"no option", "select_option", map[string]any{"id": "e17", "options": []string{"XL"}}, `there is no option "XL"; there are: S | M | L`},
		{"no key", desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "{BOGUS}"}, "there is no key {BOGUS}"},
		{"a long word in braces", desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "{" + strings.Repeat("secret", 11) + "}"}, "there is no key {(66 bytes)}"},
		{"many keys", desktop.KeyboardInput, map[string]any{"id": "e5", "keys": strings.Repeat("{TAB}", 101)}, "these are more than 100 keys"},
		{"a file", "navigate", map[string]any{"url": "file:///etc/passwd"}, "the URL must begin with https:// or http://"},
		{"a script", "navigate", map[string]any{"url": "javascript:alert(1)"}, "the URL must begin with https:// or http://"},
		{"a user for a host", "navigate", map[string]any{"url": "https://shop.test:x@evil.test/"}, "the URL has a user in front of its host"},
		{"no host", "navigate", map[string]any{"url": "http:shop.test"}, "the URL cannot be read"},
		{"a backslash", "navigate", map[string]any{"url": `http://shop.test\@evil.test/`}, "the URL cannot be read"},
		{"source", "navigate", map[string]any{"url": "view-source:http://shop.test/"}, "the URL must begin with https:// or http://"},
		{"data", "navigate", map[string]any{"url": "data:text/html,<button>x"}, "the URL must begin with https:// or http://"},
		{"the browser's own", "navigate", map[string]any{"url": "chrome://settings"}, "the URL must begin with https:// or http://"},
		{"a frame", desktop.ClickInput, map[string]any{"id": "e36"}, "act on a control inside the frame e36; nobody sees what a click on the frame would do"},
		{"no tab", "select_tab", map[string]any{"id": "tab1"}, `the browser tab "tab1" was not shown by the last look`},
		{"no dialog", "accept_dialog", map[string]any{"id": "dialog"}, "no dialog was shown by the last look at the page"},
		{"a picture in a file", desktop.CaptureWindowScreenshot, map[string]any{"save_path": "x.png"}, "the picture cannot be kept in a file"},
		{"no text", desktop.Texts, map[string]any{"id": "e99"}, `there is no control "e99"`},
		{
			"script", "browser_evaluate", map[string]any{"function": "() => 1"},
			`desktop: unknown tool "browser_evaluate"; the tools are: accept_dialog, capture_window_screenshot, click_input, close_tab, dismiss_dialog, ` +
				`get_app_window, get_desktop_app_info, get_ui_tree, go_back, keyboard_input, navigate, select_option, select_tab, set_edit_text, show_part, ` +
				`texts, wait, wait_for_text`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, d := at(t, "form.html", nil)
			assert.Equal(t, test.says, d.refused(test.tool, test.args))
			assert.Empty(t, f.took())
		})
	}
}

// A control that is another by now is not clicked on.
func TestStale(t *testing.T) {
	t.Run("renamed", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.change(func() { f.tabs[0].page.edit(`"Confirm"`, `"Delete everything"`) })
		assert.Equal(t, `the control e28 was a button called "Confirm", and is a button called "Delete everything" by now`, d.noClick("e28"))
		d.look()
		assert.NotEmpty(t, d.click("e28"))
	})
	t.Run("another role", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.change(func() { f.tabs[0].page.edit(`checkbox "Express"`, `button "Express"`) })
		assert.Contains(t, d.noClick("e11"), `was a checkbox called "Express", and is a button`)
	})
	t.Run("another row", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.change(func() { f.tabs[0].page.tree = rows })
		d.look()
		f.change(func() { f.tabs[0].page.edit("Ada", "Bob") })
		assert.Equal(t, `the button "Delete" (e54) belonged to "Ada | 0 Delete", and belongs to "Bob | 0 Delete" by now`, d.noClick("e54"))
		assert.Contains(t, d.refused(desktop.SetEditText, map[string]any{"id": "e53", "text": "7"}), "belongs to")
		assert.NotContains(t, d.look(), "e54", "it has another id")
		d.click(d.named("button", "Delete"))
	})
	t.Run("a link that leads elsewhere", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.change(func() { f.tabs[0].page.edit("/url: table.html", "/url: /pay") })
		assert.Equal(t, `the link "Orders" (e27) belonged to "table.html", and belongs to "/pay" by now`, d.noClick("e27"))
	})
	t.Run("gone", func(t *testing.T) {
		_, d := at(t, "form.html", nil)
		d.click("e33") // gives itself another ref
		assert.Equal(t, "the control e33 is not there any more", d.noClick("e33"))
	})
	t.Run("another page with the same refs", func(t *testing.T) {
		f, d := at(t, "second.html", nil)
		f.change(func() { f.tabs[0].page.url = shop + "/other.html" })
		assert.Equal(t, "the page is another one than the one that was shown", d.noClick("e5"))
	})
	t.Run("another tab with the same refs", func(t *testing.T) {
		f, d := at(t, "second.html", nil)
		f.change(func() { f.tabs = append(f.tabs, &tab{page: f.copy(shop + "/second.html")}); f.current = 1 })
		assert.Equal(t, "the page is another one than the one that was shown", d.noClick("e5"))
	})
	t.Run("a tab closed", func(t *testing.T) {
		f, d := at(t, "second.html", nil)
		f.change(func() { f.tabs = append(f.tabs, &tab{page: f.copy(shop + "/second.html")}) })
		d.look()
		f.change(func() { f.tabs = f.tabs[1:] })
		assert.Equal(t, "the page is another one than the one that was shown", d.noClick("e5"))
	})
	t.Run("a dialog came", func(t *testing.T) {
		f, d := at(t, "form.html", nil)
		f.change(func() { f.dialog("alert", "Hello", nil) })
		assert.Equal(t, "a dialog of the page is open and must be answered first: Hello", d.noClick("e28"))
		assert.Equal(t, "a dialog of the page is open and must be answered first: Hello", d.refused("go_back", nil))
		assert.Equal(t, "a dialog of the page is open and must be answered first: Hello", d.refused("navigate", map[string]any{"url": shop}))
		assert.Equal(t, "a dialog of the page is open and must be answered first: Hello", d.refused(desktop.KeyboardInput, map[string]any{"keys": "x"}))
		assert.Empty(t, takeAll(f, "browser_tabs"))
	})
	t.Run("nobody looked", func(t *testing.T) {
		d := browse(t, newFake(), nil)
		assert.Contains(t, d.noClick("e2"), "was not shown")
		assert.Contains(t, d.refused(desktop.KeyboardInput, map[string]any{"keys": "x"}), "another one than the one that was shown")
	})
}

// takeAll are the calls but those of one tool.
func takeAll(f *fake, but string) []string {
	var out []string
	for _, call := range f.took() {
		if !strings.HasPrefix(call, but) {
			out = append(out, call)
		}
	}
	return out
}

func TestTheRestOfTheKeysIsNotTypedIntoAnotherPage(t *testing.T) {
	f, d := at(t, "form.html", nil)
	assert.Equal(t, "after 2 of 3 keys or texts another page or a dialog was there; the rest was not typed",
		d.refused(desktop.KeyboardInput, map[string]any{"id": "e5", "keys": "Bob{ENTER}secret"}))
	assert.Len(t, f.took(), 2)
}

// A page that closes itself may be gone before the server has an answer to the click.
func TestAClickThatClosesItsTab(t *testing.T) {
	const closed = "browserBackend.callTool: Target page, context or browser has been closed"
	inTheSecondTab := func(t *testing.T) (*fake, hand) {
		f, d := at(t, "form.html", nil)
		d.click("e26")
		d.do("select_tab", map[string]any{"id": d.named("browser tab", "Second page")})
		return f, d
	}
	closes := func(f *fake, _ *page) { f.tabs, f.current = f.tabs[:1], 0 }
	t.Run("it is seen", func(t *testing.T) {
		f, d := inTheSecondTab(t)
		f.change(func() { f.tabs[1].page.click = map[string]func(*fake, *page){"e5": closes}; f.late = closed })
		res := d.run(desktop.ClickInput, map[string]any{"id": d.named("button", "Close me")})
		assert.Equal(t, "clicked; the page is "+shop+"/form.html now", res.Text())
		assert.Equal(t, "the browser tab closed before the server said that this was done", res.Unverified)
	})
	t.Run("the tab is still there", func(t *testing.T) {
		f, d := inTheSecondTab(t)
		f.change(func() { f.late = closed })
		assert.Contains(t, d.noClick(d.named("button", "Close me")), "has been closed")
	})
	t.Run("another reason", func(t *testing.T) {
		f, d := inTheSecondTab(t)
		f.change(func() {
			f.tabs[1].page.click = map[string]func(*fake, *page){"e5": closes}
			f.late = "Timeout 5000ms exceeded."
		})
		assert.Equal(t, "Timeout 5000ms exceeded.", d.noClick(d.named("button", "Close me")))
	})
}

func TestBack(t *testing.T) {
	_, d := at(t, "form.html", nil)
	d.click("e25")
	assert.Equal(t, "went back; the page is http://shop.test/form.html now", d.do("go_back", nil))
	assert.Equal(t, "there is no page before this one: the page is empty now", d.refused("go_back", nil))
	assert.Equal(t, "about:blank", d.look()["page"].Value)
}

// What the server says no to is a failure in a few words.
func TestReasons(t *testing.T) {
	f, d := at(t, "form.html", nil)
	assert.Equal(t, "Element is not an <input>", d.refused(desktop.SetEditText, map[string]any{"id": "e28", "text": "x"}))
	assert.Equal(t, "net::ERR_NAME_NOT_RESOLVED at http://nowhere.test/", d.refused("navigate", map[string]any{"url": "http://nowhere.test/"}))
	assert.Contains(t, d.look()["page"].Value, "chrome-error:")
	assert.Equal(t, "Timeout 5000ms exceeded.", d.refused("wait_for_text", map[string]any{"text": "Godot"}))
	d.do("navigate", map[string]any{"url": shop + "/form.html"})
	d.look()
	f.change(func() {
		f.no = "Timeout 5000ms exceeded.\nCall log:\n\x1b[2m  - waiting\x1b[22m\n\x1b[2m    - <div id=\"veil\"></div> intercepts pointer events\x1b[22m"
	})
	assert.Equal(t, `Timeout 5000ms exceeded. <div id="veil"></div> intercepts pointer events`, d.noClick("e28"))
	f.change(func() { f.err = io.ErrUnexpectedEOF })
	_, err := desktop.UITree(t.Context(), d.Desktop)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "a broken transport is an error")
	f.change(func() { f.err = nil; f.hang = true })
	synctest.Test(t, func(t *testing.T) {
		d := browse(t, f, nil) // of this bubble
		_, err := desktop.UITree(t.Context(), d.Desktop)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}
