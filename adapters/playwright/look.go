package playwright

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// call calls a tool of the server.
func (b *browser) call(ctx context.Context, tool string, args map[string]any) (desktop.Result, error) {
	if args == nil {
		args = map[string]any{} // null is refused
	}
	return b.server.Execute(ctx, desktop.Command{ToolName: tool, Parameters: args})
}

// do is call, with a refusal for a failure.
func (b *browser) do(ctx context.Context, tool string, args map[string]any) (desktop.Result, error) {
	res, err := b.call(ctx, tool, args)
	if err == nil && res.Status != desktop.Success {
		err = refusal(reason(res.Error))
	}
	return res, err
}

// pageClosed reports whether the page of a command closed, or its browser, before the
// server had an answer.
func pageClosed(why string) bool { return strings.Contains(why, "has been closed") }

// see asks the server what there is.
func (b *browser) see(ctx context.Context) (*sight, error) {
	res, err := b.call(ctx, "browser_snapshot", nil)
	if err == nil && res.Status != desktop.Success && pageClosed(res.Error) {
		res, err = b.call(ctx, "browser_snapshot", nil) // of what is there instead: another tab, or another browser
	}
	if err != nil {
		return nil, err
	}
	if res.Status == desktop.Success {
		return readPage(res.Text())
	}
	s := &sight{dialog: modal(res.Error), url: "unknown:"} // no origin has it
	if s.dialog == nil {
		return nil, refuse("the page cannot be seen: %s", reason(res.Error))
	}
	list, err := b.call(ctx, "browser_tabs", map[string]any{"action": "list"})
	if err != nil {
		return nil, err
	}
	s.tabs, s.tab = readTabs(sections(list.Text())["Result"])
	// While a dialog is open the server knows no titles. So nothing in front of the URL looks like one.
	if s.tab < len(s.tabs) && s.tabs[s.tab].current && s.tabs[s.tab].title == "" {
		s.url = s.tabs[s.tab].url
	}
	return s, nil
}

// settle sees, and refuses a page that is lost or not allowed.
func (v *view) settle(ctx context.Context) (*sight, error) {
	s, err := v.see(ctx)
	switch {
	case err != nil:
		return nil, err
	case s.url == blank && v.at != "" && !nowhere(v.at):
		v.instance++
		v.lost, v.opened, v.at, v.part, v.shown = true, false, "", 1, shown{}
		return nil, gone
	case v.origins.elsewhere(s.url):
		if err := v.leave(ctx, s); err != nil {
			return nil, err
		}
		return nil, refuse("the page %s is not of an origin on the list and was left", brief(s.url))
	case v.origins != nil && blankPage(s.url):
		// Scripts of other frames and tabs can write into an empty page, and its address
		// does not say whose they are.
		s.nodes, s.title = nil, ""
	}
	v.at = s.url
	return s, nil
}

// leave shows an empty page instead of one that may not be seen.
func (v *view) leave(ctx context.Context, s *sight) error {
	v.shown = shown{}
	for try := 0; s.dialog != nil && try < 5; try++ {
		if err := v.drop(ctx, s.dialog); err != nil {
			return err
		}
		next, err := v.see(ctx)
		if err != nil {
			return err
		}
		s = next
	}
	_, err := v.do(ctx, "browser_navigate", map[string]any{"url": blank})
	if err == nil {
		s, err = v.see(ctx)
	}
	switch {
	case isRefusal(err) || err == nil && s.url != blank:
		return refuse("the page is not of an origin on the list and could not be left")
	case err != nil:
		return err
	}
	v.at = blank
	return nil
}

// drop answers a dialog so that the page can be left. The next look sees whether the dialog is still there.
func (b *browser) drop(ctx context.Context, d *dialog) error {
	tool, args := "browser_handle_dialog", map[string]any{"accept": d.kind == "beforeunload"}
	if d.kind == fileChooser {
		tool, args = "browser_file_upload", nil
	}
	if _, err := b.do(ctx, tool, args); !isRefusal(err) {
		return err
	}
	return nil
}

// present is settle, and opens home if the browser shows no page.
func (v *view) present(ctx context.Context) (*sight, error) {
	if v.lost {
		return nil, gone
	}
	s, err := v.settle(ctx)
	if err != nil || v.opened || v.home == "" || s.url != blank || s.dialog != nil {
		return s, err
	}
	if _, err := v.do(ctx, "browser_navigate", map[string]any{"url": v.home}); err != nil {
		if isRefusal(err) {
			return nil, refuse("the first page cannot be opened: %v", err)
		}
		return nil, err
	}
	v.opened = true
	return v.settle(ctx)
}

// tree is get_ui_tree. Acts can name what it returned last.
func (v *view) tree(ctx context.Context) (desktop.Result, error) {
	v.shown = shown{} // nothing, if this fails
	s, err := v.present(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	page := desktop.Control{ID: idPage, Type: typePage, Name: s.title, Value: cut(s.url, 4*maxURL), Children: v.tabs(s)}
	if s.status != "" {
		page.Value += " [" + s.status + "]"
	}
	if s.dialog != nil {
		page.Children = append(page.Children, s.dialog.control())
	}
	if v.partOf != s.url {
		v.part, v.partOf = 1, s.url
	}
	o := v.outline()
	all := o.list(s.nodes)
	part, parts := split(all, v.part)
	if v.part > parts { // it became shorter
		v.part = parts
		part, parts = split(all, v.part)
	}
	v.ids.label(part, s, o.about)
	page.Children = append(page.Children, part...)
	if parts > 1 {
		page.Children = append(page.Children, desktop.Control{
			ID: idParts, Type: typeNote, Value: fmt.Sprintf("part %d of %d of the page; %s shows another", v.part, parts, showPart),
		})
	}
	v.shown = shown{instance: v.instance, url: s.url, tab: s.tab, tabs: len(s.tabs), controls: map[string]control{}}
	named([]desktop.Control{page}, o.about, v.shown.controls)
	return desktop.JSONResult([]desktop.Control{page})
}

// tabs are the controls of the first browser tabs, if there are several.
func (v *view) tabs(s *sight) []desktop.Control {
	if len(s.tabs) < 2 {
		return nil
	}
	var out []desktop.Control
	for i, t := range s.tabs[:min(len(s.tabs), 20)] {
		c := desktop.Control{ID: idTab(i), Type: typeTab, Name: t.title, Value: cut(t.url, maxURL)}
		if v.origins.hides(t) {
			c.Name, c.Value = "", "[not of an origin on the list]"
		}
		if t.current {
			c.Value = join(c.Value, "[current]")
		}
		out = append(out, c)
	}
	return out
}

// outline shows frames only where all origins are allowed: the server does not say where a frame is from.
func (v *view) outline() *outline {
	return &outline{frames: v.origins == nil, about: map[string]string{}}
}

func (d *dialog) control() desktop.Control {
	return desktop.Control{
		ID: idDialog, Type: typeDialog + " (" + d.kind + ")", Name: d.message, Value: "[nothing else can be done before it is answered]",
	}
}

// partBytes is about how much JSON a part of a page has. What its controls are in comes on top.
const partBytes = 16 << 10

// split returns one part of controls, and how many there are. What a control is in is
// in every part that has something of it.
func split(controls []desktop.Control, part int) ([]desktop.Control, int) {
	used, last := 0, 1
	var pick func([]desktop.Control) []desktop.Control
	pick = func(list []desktop.Control) []desktop.Control {
		var out []desktop.Control
		for _, c := range list {
			inside := c.Children
			c.Children = nil
			if raw, err := json.Marshal(c); err == nil {
				used += len(raw) + len(`,"children":[]`)
			}
			last = 1 + used/partBytes
			here := last == part
			if c.Children = pick(inside); here || len(c.Children) > 0 {
				out = append(out, c)
			}
		}
		return out
	}
	return pick(controls), last
}
