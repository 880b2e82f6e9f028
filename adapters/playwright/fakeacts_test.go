package playwright_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// call is one call of a tool.
type call struct {
	URL, Action, Target, Text, Key, PromptText string
	Accept, Slowly                             bool
	Index                                      *int
	Values, Paths                              []string
}

func (f *fake) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return desktop.Result{}, context.Cause(ctx)
	case f.err != nil:
		return desktop.Result{}, f.err
	case cmd.Parameters == nil:
		return desktop.FailureResult("expected object, received null"), nil
	}
	if err := f.box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	if cmd.ToolName == "browser_snapshot" {
		f.looks++
	} else {
		raw, err := json.Marshal(cmd.Parameters)
		must(err)
		f.calls = append(f.calls, cmd.ToolName+" "+string(raw))
	}
	if f.hang {
		<-ctx.Done()
		return desktop.Result{}, context.Cause(ctx)
	}
	var c call
	must(cmd.Decode(&c))
	if f.closed {
		f.closed, f.modal, f.current = false, "", 0
		f.tabs = []*tab{{page: &page{url: "about:blank"}}}
		return failed("browserBackend.callTool: Target page, context or browser has been closed"), nil
	}
	if cmd.ToolName == "browser_tabs" {
		return f.doTabs(c), nil
	}
	files := cmd.ToolName == "browser_file_upload" && strings.HasPrefix(f.modal, "[File chooser]")
	talk := cmd.ToolName == "browser_handle_dialog" && strings.HasPrefix(f.modal, `["`)
	switch {
	case files || talk:
		then := f.onModal
		if f.modal, f.onModal = "", nil; then != nil {
			then(c.Accept, c.PromptText)
		}
		return f.done(), nil
	case cmd.ToolName == "browser_file_upload", cmd.ToolName == "browser_handle_dialog":
		return failed(`The tool "` + cmd.ToolName + `" can only be used when there is related modal state present.`), nil
	case f.modal != "":
		return failed(`Tool "` + cmd.ToolName + `" does not handle the modal state.` + "\n### Modal state\n- " + f.modal), nil
	}
	return f.act(cmd.ToolName, c), nil
}

func (f *fake) act(tool string, c call) desktop.Result {
	here := f.tabs[f.current].page
	if c.Target != "" && !strings.Contains(here.tree, "[ref="+c.Target+"]") {
		return failed("Ref " + c.Target + " not found in the current page snapshot. Try capturing new snapshot.")
	}
	if why := f.no; why != "" && tool != "browser_snapshot" {
		f.no = ""
		return failed(why)
	}
	switch tool {
	case "browser_snapshot":
		return f.snapshot()
	case "browser_navigate":
		if c.URL == "about:blank" {
			f.tabs[f.current].page = &page{url: c.URL}
			return f.done()
		}
		if f.open(c.URL); strings.HasPrefix(f.tabs[f.current].page.url, "chrome-error:") {
			return failed("browserBackend.callTool: net::ERR_NAME_NOT_RESOLVED at " + c.URL + "\nCall log:\n\x1b[2m  - navigating\x1b[22m\n")
		}
	case "browser_navigate_back":
		t := f.tabs[f.current]
		if n := len(t.history); n > 0 {
			t.page, t.history = t.history[n-1], t.history[:n-1]
		}
	case "browser_click":
		if do := here.click[c.Target]; do != nil {
			do(f, here)
		}
		if why := f.late; why != "" {
			f.late = ""
			return failed(why)
		}
	case "browser_type":
		if c.Text != "" {
			was := regexp.MustCompile(`(\[ref=` + c.Target + `\]): .*`)
			if !was.MatchString(here.tree) {
				return failed("browserBackend.callTool: Error: Element is not an <input>\nCall log:\n")
			}
			here.tree = was.ReplaceAllString(here.tree, "$1: "+strings.ReplaceAll(c.Text, "\n", " "))
		}
	case "browser_press_key":
		if c.Key == "Bogus" {
			return failed(`browserBackend.callTool: Unknown key: "Bogus"`)
		}
		if c.Key == "Enter" && here.url == shop+"/form.html" {
			f.open(shop + "/second.html")
		}
	case "browser_select_option":
		if f.instead != "" {
			c.Values = []string{f.instead}
		}
		for _, option := range []string{"S", "M", "L"} {
			here.edit(fmt.Sprintf("- option %q [selected]", option), fmt.Sprintf("- option %q", option))
		}
		here.edit(fmt.Sprintf("- option %q", c.Values[0]), fmt.Sprintf("- option %q [selected]", c.Values[0]))
	case "browser_take_screenshot":
		res := desktop.TextResult("### Result\n- [Screenshot of viewport](page.png)")
		res.Content = append(res.Content, desktop.Content{Image: &desktop.Image{MediaType: "image/png", Data: bytes.Clone(f.shot)}})
		return res
	case "browser_wait_for":
		if c.Text != "" && !strings.Contains(here.tree, c.Text) {
			return failed("TimeoutError: browserBackend.callTool: Timeout 5000ms exceeded.\nCall log:\n")
		}
	}
	return f.done()
}

func failed(why string) desktop.Result { return desktop.FailureResult("### Error\nError: %s", why) }

func (f *fake) list() string {
	var lines []string
	for i, t := range f.tabs {
		title, mark := t.page.title, ""
		if i == f.current {
			mark = "(current) "
			if f.modal != "" {
				title = ""
			}
		}
		lines = append(lines, fmt.Sprintf("- %d: %s[%s](%s)", i, mark, title, t.page.url))
	}
	return strings.Join(lines, "\n")
}

func (f *fake) doTabs(c call) desktop.Result {
	n := f.current
	if c.Index != nil {
		n = *c.Index
	}
	switch {
	case n >= len(f.tabs):
		return failed(fmt.Sprintf("Tab %d not found", n))
	case c.Action == "select":
		f.current = n
	case c.Action == "close":
		if f.tabs = slices.Delete(f.tabs, n, n+1); len(f.tabs) == 0 {
			f.tabs = []*tab{{page: &page{url: "about:blank"}}}
		}
		if f.current > n || f.current == len(f.tabs) {
			f.current--
		}
	}
	text := "### Result\n" + f.list()
	if f.modal != "" {
		text += "\n### Modal state\n- " + f.modal
	}
	return desktop.TextResult(text)
}

// top is what answers say of the page.
func (f *fake) top() string {
	text := ""
	if len(f.tabs) > 1 {
		text = "### Open tabs\n" + f.list() + "\n"
	}
	here := f.tabs[f.current].page
	text += "### Page\n- Page URL: " + here.url
	if here.title != "" && f.modal == "" {
		text += "\n- Page Title: " + here.title
	}
	if here.status != "" {
		text += "\n- HTTP status: " + here.status
	}
	return text
}

func (f *fake) snapshot() desktop.Result {
	if f.answer != "" {
		return desktop.TextResult(f.answer)
	}
	return desktop.TextResult(f.top() + "\n### Snapshot\n```yaml\n" + f.tabs[f.current].page.tree + "\n```")
}

func (f *fake) done() desktop.Result {
	text := "### Ran Playwright code\n```js\nawait page.x();\n```\n" + f.top()
	if f.modal != "" {
		text += "\n### Modal state\n- " + f.modal
	}
	return desktop.TextResult(text + "\n### Snapshot\n- [Snapshot](page.yml)")
}

// took returns the calls since the last time, without snapshots.
func (f *fake) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls := f.calls
	f.calls = nil
	return calls
}
