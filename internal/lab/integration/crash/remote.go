package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// The windows of each desktop.
const (
	tableWindow  = "1"
	reportWindow = "2"
)

var windows = []desktop.Window{
	{ID: tableWindow, Root: "excel", Process: "book", Title: "Book1"},
	{ID: reportWindow, Root: "word", Process: "report", Title: "report"},
}

// call sends a request as JSON to the world, and reads its answer.
func call(ctx context.Context, address, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("crash: %s: %s: %s", path, resp.Status, bytes.TrimSpace(raw))
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("crash: %s: %w", path, err)
	}
	return nil
}

// remoteModel is the model of a run, in the world.
func remoteModel(d *remoteDesktop) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		var resp llm.Response
		err := call(ctx, d.address, "/"+d.run+"/complete", &llm.Request{Messages: req.Messages}, &resp)
		if err != nil {
			return nil, err
		}
		return &resp, nil
	})
}

// remoteDesktop is the desktop of a run, in the world, or a window of it.
type remoteDesktop struct {
	address, run, window string
	token                int64 // larger than that of drivers before
	life                 *life
}

// life is that of a driver, as the desktop counts them. It begins with the first command.
type life struct {
	mu sync.Mutex
	n  int64 // 0: not yet
}

func (d *remoteDesktop) connect(ctx context.Context) (int64, error) {
	d.life.mu.Lock()
	defer d.life.mu.Unlock()
	if d.life.n != 0 {
		return d.life.n, nil
	}
	err := call(ctx, d.address, fmt.Sprintf("/%s/open?token=%d", d.run, d.token), nil, &d.life.n)
	return d.life.n, err
}

func (d *remoteDesktop) Tools(context.Context) ([]desktop.Tool, error) {
	known := func(names ...string) (tools []desktop.Tool) {
		for _, name := range names {
			tool, _ := desktop.ToolNamed(name)
			tools = append(tools, tool)
		}
		return tools
	}
	own := func(name, parameters string, a desktop.Annotations) desktop.Tool {
		return desktop.Tool{
			Name: name, Annotations: a,
			InputSchema: json.RawMessage(`{"type":"object","properties":{` + parameters + `},"additionalProperties":false}`),
		}
	}
	switch d.window {
	case tableWindow:
		return append(known(desktop.GetAppWindow, desktop.GetUITree, desktop.CaptureWindowScreenshot),
			own("add_row", `"n":{"type":"string"}`, desktop.Annotations{})), nil
	case reportWindow:
		return append(known(desktop.GetAppWindow, desktop.GetUITree, desktop.CaptureWindowScreenshot),
			own("add_line", `"text":{"type":"string"}`, desktop.Annotations{}),
			own("publish", ``, desktop.Annotations{DestructiveHint: true})), nil
	}
	return known(desktop.GetDesktopAppInfo, desktop.CaptureDesktopScreenshot), nil
}

func (d *remoteDesktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	var result desktop.Result
	life, err := d.connect(ctx)
	if err != nil {
		return result, err
	}
	path := fmt.Sprintf("/%s/%d/execute?window=%s", d.run, life, url.QueryEscape(d.window))
	err = call(ctx, d.address, path, cmd, &result)
	return result, err
}

func (d *remoteDesktop) Scope(_ context.Context, window string) (desktop.Desktop, error) {
	if !slices.ContainsFunc(windows, func(w desktop.Window) bool { return w.ID == window }) {
		return nil, fmt.Errorf("crash: there is no window %q", window)
	}
	narrow := *d
	narrow.window = window
	return &narrow, nil
}
