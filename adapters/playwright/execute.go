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
	box, err := v.toolbox(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if err := box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	if cmd.ToolName == desktop.Wait {
		return wait(ctx, cmd)
	}
	if err := v.take(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.give()
	res, err := v.run(ctx, cmd)
	if isRefusal(err) {
		res, err = desktop.FailureResult("%s", err.Error()), nil
	}
	res.Gone = err == nil && res.Status == desktop.Failure && v.closed()
	return res, err
}

// closed reports whether the browser that the view is of was closed.
func (v *view) closed() bool { return v.only != 0 && v.only != v.instance }

// run does a command that fits its schema.
func (v *view) run(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	switch cmd.ToolName {
	case desktop.GetDesktopAppInfo:
		return v.window(ctx)
	case desktop.GetAppWindow:
		res, err := v.window(ctx)
		if err == nil && v.closed() {
			err = gone
		}
		return res, err
	}
	if v.closed() {
		return desktop.Result{}, gone
	}
	if slices.Contains(v.opts.ServerTools, cmd.ToolName) {
		return v.raw(ctx, cmd)
	}
	var a arguments
	if err := cmd.Decode(&a); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	switch cmd.ToolName {
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
	}
	if v.lost {
		return desktop.Result{}, gone
	}
	switch cmd.ToolName {
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
		return v.changeTab(ctx, cmd.ToolName, a.ID)
	}
	return v.answer(ctx, cmd.ToolName == acceptDialog, a)
}

// wait needs neither the server nor a turn.
func wait(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	var a arguments
	if err := cmd.Decode(&a); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	timer := time.NewTimer(time.Duration(a.Seconds * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
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

// raw is a tool of the server, as it is.
func (v *view) raw(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if v.lost {
		return desktop.Result{}, gone
	}
	if _, err := v.settle(ctx); err != nil {
		return desktop.Result{}, err
	}
	v.shown = shown{}
	res, err := v.call(ctx, cmd.ToolName, cmd.Parameters)
	if err != nil {
		return res, err
	}
	if _, err := v.settle(ctx); err != nil {
		return desktop.Result{}, err
	}
	res.CallID = ""
	return res, nil
}
