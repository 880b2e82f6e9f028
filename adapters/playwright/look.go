package playwright

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// call calls a tool of the server, by the name that it has in its README.
func (b *browser) call(ctx context.Context, tool string, args map[string]any) (desktop.Result, error) {
	t, ok := b.tools[tool]
	if !ok {
		return desktop.Result{}, fmt.Errorf("%w: it has no %s", ErrServer, tool)
	}
	if args == nil {
		args = map[string]any{} // null is refused
	}
	res, err := b.server.Execute(ctx, desktop.Command{ToolName: t.Name, Parameters: args})
	if err == nil && size(res) > maxAnswer {
		return desktop.Result{}, refuse("the server's answer to %s is too large", tool)
	}
	return res, err
}

// maxAnswer is what is read of one answer of the server, in bytes: a snapshot, and what
// is said around it.
const maxAnswer = maxSnapshot + 1<<20

// size is how much text there is in a result.
func size(res desktop.Result) int {
	n := len(res.Error)
	for _, c := range res.Content {
		n += len(c.Text)
	}
	return n
}

// do is call, with a refusal for a tool that says no.
func (b *browser) do(ctx context.Context, tool string, args map[string]any) (desktop.Result, error) {
	res, err := b.call(ctx, tool, args)
	if err == nil && res.Status != desktop.Success {
		err = refusal(reason(res.Error))
	}
	return res, err
}

// see asks the server what there is.
func (b *browser) see(ctx context.Context) (*sight, error) {
	res, err := b.call(ctx, "browser_snapshot", nil)
	if err == nil && res.Status != desktop.Success && closed(refusal(res.Error)) {
		res, err = b.call(ctx, "browser_snapshot", nil) // of what is there instead: another tab, or another browser
	}
	if err != nil {
		return nil, err
	}
	if res.Status == desktop.Success {
		return readPage(res.Text())
	}
	question := modal(res.Error)
	if question == nil {
		return nil, refuse("the page cannot be seen: %s", reason(res.Error))
	}
	s := &sight{dialog: question}
	list, err := b.call(ctx, "browser_tabs", map[string]any{"action": "list"})
	if err != nil {
		return nil, err
	}
	text := sections(list.Text())["Result"]
	s.url = currentURL(text)
	s.tabs, s.tab = readTabs(text)
	if s.url == "" {
		s.url = "unknown:" // no origin has it
	}
	return s, nil
}

// settle sees, and does not let a page pass that is lost or not allowed.
func (v *view) settle(ctx context.Context) (*sight, error) {
	s, err := v.see(ctx)
	if err != nil {
		return nil, err
	}
	if s.url == blank && v.at != "" && !nowhere(v.at) {
		v.lose()
		return nil, gone
	}
	if v.origins.elsewhere(s.url) {
		where := s.url
		if err := v.leave(ctx, s); err != nil {
			return nil, err
		}
		return nil, refuse("the page %s is not of an origin on the list and was left", clip(withoutQuery(where), maxURL))
	}
	if v.origins != nil && blankPage(s.url) {
		// Scripts write into empty pages, those of frames and of other tabs, too, and
		// the address does not say whose.
		s.nodes, s.title = nil, ""
	}
	v.at = s.url
	return s, nil
}

// lose notes that there is another browser now.
func (v *view) lose() {
	v.instance++
	v.lost, v.opened, v.at, v.part, v.shown = true, false, "", 1, shown{}
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

// drop answers a dialog so that the page can be left.
func (b *browser) drop(ctx context.Context, d *dialog) error {
	var err error
	switch d.kind {
	case fileChooser:
		_, err = b.do(ctx, "browser_file_upload", nil)
	default:
		_, err = b.do(ctx, "browser_handle_dialog", map[string]any{"accept": d.kind == "beforeunload"})
	}
	if isRefusal(err) {
		return nil // whether it is still there is seen
	}
	return err
}

func isRefusal(err error) bool {
	_, ok := errors.AsType[refusal](err)
	return ok
}

func withoutQuery(url string) string {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		url = url[:end] + "…"
	}
	return url
}

// present is settle, with Home opened first where nothing is.
func (v *view) present(ctx context.Context) (*sight, error) {
	if v.lost {
		return nil, gone
	}
	s, err := v.settle(ctx)
	if err != nil || v.opened || v.opts.Home == "" || s.url != blank || s.dialog != nil {
		return s, err
	}
	if _, err := v.do(ctx, "browser_navigate", map[string]any{"url": v.opts.Home}); err != nil {
		if isRefusal(err) {
			return nil, refuse("the first page cannot be opened: %v", err)
		}
		return nil, err
	}
	v.opened = true
	return v.settle(ctx)
}

// tree is get_ui_tree. What it returns is what can be acted on from then on.
func (v *view) tree(ctx context.Context) (desktop.Result, error) {
	v.shown = shown{} // nothing, when this fails
	s, err := v.present(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	page := desktop.Control{ID: idPage, Type: typePage, Name: s.title, Value: clip(s.url, 4*maxURL)}
	if s.status != "" {
		page.Value += " [" + s.status + "]"
	}
	if len(s.tabs) > 1 {
		for i, t := range s.tabs[:min(len(s.tabs), 20)] {
			c := desktop.Control{ID: idTab(i), Type: typeTab, Name: t.title, Value: t.url}
			if v.foreign(t) {
				c.Name, c.Value = "", "[not of an origin on the list]"
			}
			if t.current {
				c.Value = join(c.Value, "[current]")
			}
			page.Children = append(page.Children, c)
		}
	}
	if s.dialog != nil {
		page.Children = append(page.Children, s.dialog.control())
	}
	if v.partOf != s.url {
		v.part, v.partOf = 1, s.url
	}
	o := &outline{frames: v.frames()}
	all := o.list(s.nodes)
	part, parts := split(all, v.opts.MaxBytes, v.part)
	if v.part > parts { // it became shorter
		v.part = parts
		part, parts = split(all, v.opts.MaxBytes, v.part)
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

// foreign reports whether a tab has a page whose words may not be shown. An address
// can have what looks like the end of a title, see readTabs: then nobody knows.
func (b *browser) foreign(t tab) bool {
	return b.origins != nil && (b.origins.elsewhere(t.url) || blankPage(t.url) && t.title != "" || strings.Contains(t.title, "]("))
}

// frames reports whether what is inside frames is shown: nobody can tell where that is from.
func (b *browser) frames() bool { return b.origins == nil }

func (d *dialog) control() desktop.Control {
	return desktop.Control{
		ID: idDialog, Type: typeDialog + " (" + d.kind + ")", Name: d.message, Value: "[nothing else can be done before it is answered]",
	}
}
