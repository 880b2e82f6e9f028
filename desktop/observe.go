package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // the forms of screenshots
	_ "image/jpeg" // that models read
	_ "image/png"  // are looked into
	"slices"
	"strings"
)

// Windows lists the open windows (get_desktop_app_info). Their ids are there
// and no two are equal: other windows are left out, and an
// error beside the others says which. Without a list the error says why: that of
// [Execute], of [Result.Err], or what is wrong with the result.
func Windows(ctx context.Context, d Desktop) ([]Window, error) {
	return listed(ctx, d, GetDesktopAppInfo, goodWindows)
}

func goodWindows(list []Window) ([]Window, error) {
	seen := make(map[string]int, len(list))
	for _, w := range list {
		seen[w.ID]++
	}
	good := make([]Window, 0, len(list))
	var problems []error
	for i, w := range list {
		switch {
		case w.ID == "":
			problems = append(problems, fmt.Errorf("window %d has no id", i))
		case seen[w.ID] > 1: // a command on that id may act on any of them
			problems = append(problems, fmt.Errorf("two windows have the id %q", clip(w.ID)))
			seen[w.ID] = -1
		case seen[w.ID] < 0: // that was said
		default:
			good = append(good, w)
		}
	}
	err := errors.Join(problems...)
	if err != nil {
		err = badResult(GetDesktopAppInfo, err)
	}
	if err != nil && len(good) == 0 && !slices.ContainsFunc(list, func(w Window) bool { return w != Window{} }) {
		return nil, err // something else than windows
	}
	return good, err
}

// AppWindow describes the window that commands act on (get_app_window), and the windows
// that it owns, also those of a dialog's own: a modal one first. The error wraps
// [ErrWindowGone] where the window is closed.
func AppWindow(ctx context.Context, d Desktop) (w Window, owned []Window, err error) {
	list, err := listed(ctx, d, GetAppWindow, withOwned)
	if err != nil {
		return Window{}, nil, err
	}
	return list[0], slices.Clip(list[1:]), nil
}

// withOwned are a window and those that it owns.
func withOwned(list []Window) ([]Window, error) {
	if len(list) == 0 {
		return nil, badResult(GetAppWindow, errors.New("0 windows instead of one"))
	}
	before := map[string]bool{list[0].ID: true}
	delete(before, "")
	for _, w := range list[1:] {
		if w.ID == "" || !before[w.Owner] {
			return nil, badResult(GetAppWindow, fmt.Errorf("%d windows instead of one: %q belongs to none before it", len(list), clip(w.ID)))
		}
		before[w.ID] = true
	}
	return list, nil
}

// UITree lists the controls of the window (get_ui_tree), the outermost with
// those inside them. Controls that have one id together lose it, since a command
// for one of them may meet another; an error beside the list says so.
func UITree(ctx context.Context, d Desktop) ([]Control, error) {
	return listed(ctx, d, GetUITree, withoutDoubles)
}

func withoutDoubles(list []Control) ([]Control, error) {
	ids := make([]string, 0, len(list))
	each(list, func(c *Control) { ids = append(ids, c.ID) })
	slices.Sort(ids)
	twice := map[string]bool{} // true: it was said
	for i, id := range ids[min(1, len(ids)):] {
		if id == ids[i] && id != "" {
			twice[id] = false
		}
	}
	var problems []error
	each(list, func(c *Control) {
		said, double := twice[c.ID]
		if !double {
			return
		}
		if !said { // the first of them
			problems = append(problems, fmt.Errorf("two controls have the id %q", clip(c.ID)))
			twice[c.ID] = true
		}
		c.ID = ""
	})
	if err := errors.Join(problems...); err != nil {
		return list, badResult(GetUITree, err)
	}
	return list, nil
}

// each calls f for every control of a tree.
func each(controls []Control, f func(*Control)) {
	for i := range controls {
		f(&controls[i])
		each(controls[i].Children, f)
	}
}

// Screenshot takes a picture with [CaptureDesktopScreenshot] or
// [CaptureWindowScreenshot]. Its media type is that of the data, whatever the
// desktop says, and a PNG, JPEG or GIF that cannot be read is an error: a
// provider would refuse the whole prompt for it.
func Screenshot(ctx context.Context, d Desktop, tool string) (*Image, error) {
	res, err := look(ctx, d, tool)
	if err != nil {
		return nil, err
	}
	img := res.Image()
	if img == nil || len(img.Data) == 0 {
		return nil, badResult(tool, errNoContent)
	}
	// The header alone: to read all of every screenshot would take too long.
	_, format, err := image.DecodeConfig(bytes.NewReader(img.Data))
	if err == nil {
		return &Image{MediaType: "image/" + format, Data: img.Data}, nil
	}
	switch kind, _, _ := strings.Cut(img.MediaType, "/"); {
	case img.MediaType == "image/png", img.MediaType == "image/jpeg", img.MediaType == "image/gif", kind != "image":
		return nil, badResult(tool, fmt.Errorf("the image, said to be %q, cannot be read: %w", clip(img.MediaType), err))
	}
	return img, nil // of a form that is not known here
}

// listed runs a command that returns a JSON list, and returns what good makes of it. A list of one
// may come without its brackets, as desktops that describe a single window write it.
func listed[T any](ctx context.Context, d Desktop, tool string, good func([]T) ([]T, error)) ([]T, error) {
	res, err := look(ctx, d, tool)
	if err != nil {
		return nil, err
	}
	raw, ok := res.json()
	if !ok {
		return nil, badResult(tool, errNoContent)
	}
	text := string(raw) // compact, and a copy: interceptors have it, too
	if text[0] == '{' {
		text = "[" + text + "]"
	}
	list := []T{}
	if err := read(text, &list); err != nil {
		return nil, badResult(tool, err)
	}
	return good(list)
}

// read is json.Unmarshal into an empty list.
func read[T any](text string, list *[]T) error {
	if tree, ok := any(list).(*[]Control); ok {
		if usual, ok := readTree(text); ok {
			*tree = usual
			return nil
		}
	}
	return json.Unmarshal([]byte(text), list)
}

// look runs a command without parameters. A tool that says no is an error here.
func look(ctx context.Context, d Desktop, tool string) (Result, error) {
	res, err := Execute(ctx, d, Command{ToolName: tool, Parameters: map[string]any{}, Looks: true})
	if err != nil {
		return Result{}, err
	}
	return res, res.failed(tool)
}

func badResult(tool string, err error) error {
	return fmt.Errorf("desktop: %s: bad result: %w", clip(tool), err)
}
