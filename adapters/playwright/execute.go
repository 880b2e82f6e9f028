package playwright

import (
	"context"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// arguments are those of all tools.
type arguments struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Button   string   `json:"button"`
	Double   bool     `json:"double"`
	Text     string   `json:"text"`
	Keys     string   `json:"keys"`
	Focus    *bool    `json:"control_focus"`
	Seconds  float64  `json:"seconds"`
	SavePath string   `json:"save_path"`
	URL      string   `json:"url"`
	Options  []string `json:"options"`
	Gone     bool     `json:"gone"`
	Part     int      `json:"part"`
}

// Execute runs one command. A refusal is a result; an error is the server's, that of
// the context, or ErrServer.
func (v *view) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	box, err := toolbox()
	if err != nil {
		return desktop.Result{}, err
	}
	if err := box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	var a arguments
	if err := cmd.Decode(&a); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	if cmd.ToolName == desktop.Wait { // needs neither the server nor a turn
		return wait(ctx, a.Seconds)
	}
	done, err := v.begin(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	defer done()
	res, err := v.run(ctx, cmd.ToolName, a)
	if isRefusal(err) {
		res, err = desktop.FailureResult("%s", err.Error()), nil
	}
	res.Gone = err == nil && res.Status == desktop.Failure && v.closed()
	return res, err
}

func (v *view) run(ctx context.Context, tool string, a arguments) (desktop.Result, error) {
	switch tool {
	case desktop.GetDesktopAppInfo:
		return v.window(ctx)
	case desktop.GetAppWindow:
		res, err := v.window(ctx)
		if err == nil && v.closed() {
			err = gone
		}
		return res, err
	}
	if v.closed() || v.lost && tool != navigate && tool != showPart {
		return desktop.Result{}, gone
	}
	switch tool {
	case desktop.GetUITree:
		return v.tree(ctx)
	case desktop.CaptureWindowScreenshot:
		return v.screenshot(ctx, a.SavePath)
	case desktop.Texts:
		return v.texts(ctx, a.ID)
	case waitForText:
		return v.waitForText(ctx, a)
	case showPart:
		v.part, v.partOf, v.shown = a.Part, v.at, shown{}
		return desktop.TextResult("get_ui_tree shows that part from now on"), nil
	case navigate:
		return v.navigate(ctx, a.URL)
	case desktop.ClickInput:
		return v.click(ctx, a)
	case desktop.SetEditText:
		return v.setText(ctx, a)
	case desktop.KeyboardInput:
		return v.keys(ctx, a)
	case selectOption:
		return v.selectOption(ctx, a)
	case goBack:
		return v.back(ctx)
	case selectTab, closeTab:
		return v.changeTab(ctx, tool, a.ID)
	}
	return v.answer(ctx, tool == acceptDialog, a)
}

func wait(ctx context.Context, seconds float64) (desktop.Result, error) {
	select {
	case <-time.After(time.Duration(seconds * float64(time.Second))):
		return desktop.TextResult("waited"), nil
	case <-ctx.Done():
		return desktop.Result{}, context.Cause(ctx)
	}
}

func (v *view) waitForText(ctx context.Context, a arguments) (desktop.Result, error) {
	if _, err := v.present(ctx); err != nil {
		return desktop.Result{}, err
	}
	key := "text"
	if a.Gone {
		key = "textGone"
	}
	if _, err := v.do(ctx, "browser_wait_for", map[string]any{key: a.Text}); err != nil {
		return desktop.Result{}, err
	}
	return v.after(ctx, "seen")
}

// window is the browser's one window.
func (v *view) window(ctx context.Context) (desktop.Result, error) {
	s := &sight{}
	if !v.lost {
		found, err := v.present(ctx)
		switch {
		case err == nil:
			s = found
		case !isRefusal(err):
			return desktop.Result{}, err
		}
	}
	title := join(s.title, brief(s.url))
	if title == "" {
		title = v.name
	}
	w := desktop.Window{ID: v.windowID(), Root: v.name, Process: v.windowID(), Title: title, Focused: true}
	if s.dialog != nil {
		w.Dialog = idDialog
	}
	if n := active(s.nodes); n != nil {
		w.Focus = n.ref
	}
	return desktop.JSONResult([]desktop.Window{w})
}

// active returns the element that has the focus, the innermost one.
func active(nodes []*node) *node {
	for _, n := range nodes {
		if inner := active(n.children); inner != nil {
			return inner
		}
		if n.ref != "" && slices.Contains(n.states, "focused") {
			return n
		}
	}
	return nil
}

func (v *view) screenshot(ctx context.Context, save string) (desktop.Result, error) {
	if save != "" {
		return desktop.Result{}, refuse("the picture cannot be kept in a file")
	}
	s, err := v.present(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if v.origins != nil && blankPage(s.url) {
		return desktop.Result{}, refuse("the page is empty")
	}
	res, err := v.do(ctx, "browser_take_screenshot", map[string]any{"type": "png", "scale": "css"})
	if err != nil {
		return desktop.Result{}, err
	}
	// The page may have become another while the picture was taken.
	if _, err := v.settle(ctx); err != nil {
		return desktop.Result{}, err
	}
	img := res.Image()
	if img == nil {
		return desktop.Result{}, refuse("the server returned no picture")
	}
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: img}}}, nil
}

// texts reads a control, or all of the page.
func (v *view) texts(ctx context.Context, id string) (desktop.Result, error) {
	s, err := v.present(ctx)
	switch {
	case err != nil:
		return desktop.Result{}, err
	case s.dialog != nil && (id == idDialog || id == idPage):
		return desktop.TextResult(s.dialog.message), nil
	case s.dialog != nil:
		return desktop.Result{}, s.blocked()
	}
	o := v.outline()
	o.whole = true
	n := &node{children: s.nodes}
	if id != idPage {
		if n = find(s.nodes, refOf(id), o.frames); n == nil {
			return desktop.Result{}, refuse("there is no control %q", cut(id, 60))
		}
	}
	return desktop.TextResult(cut(o.text(n), maxText)), nil
}
