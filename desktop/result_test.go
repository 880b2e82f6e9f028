package desktop_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

func TestResultText(t *testing.T) {
	res := desktop.Result{Status: desktop.Success, Content: []desktop.Content{
		{Text: "two rows"}, {Image: &desktop.Image{MediaType: "image/png", Data: []byte{1}}}, {JSON: json.RawMessage(`[1]`)}, {},
	}}
	assert.Equal(t, "two rows\n[1]", res.Text())
	assert.Equal(t, "image/png", res.Image().MediaType)
	assert.Empty(t, desktop.Result{}.Text())
	assert.Nil(t, desktop.TextResult("x").Image())
}

func TestResultDecode(t *testing.T) {
	for name, tt := range map[string]struct {
		content []desktop.Content
		want    any
		err     string
	}{
		"JSON":              {[]desktop.Content{{Text: `[1]`}, {JSON: json.RawMessage(`[2]`)}, {JSON: json.RawMessage(`[3]`)}}, []any{2.0}, ""},
		"text":              {[]desktop.Content{{Text: `[1]`}}, []any{1.0}, ""},
		"text after others": {[]desktop.Content{{Text: "Here it is:"}, {}, {Text: ` {"a":1} `}}, map[string]any{"a": 1.0}, ""},
		"nothing":           {nil, nil, "desktop: the result has no such content"},
		"only words":        {[]desktop.Content{{Text: "sorry"}}, nil, "desktop: the result has no such content"},
		"broken":            {[]desktop.Content{{JSON: json.RawMessage(`{`)}}, nil, "desktop: decode result: unexpected end of JSON input"},
	} {
		t.Run(name, func(t *testing.T) {
			var got any
			err := desktop.Result{Status: desktop.Success, Content: tt.content}.Decode(&got)
			if tt.err != "" {
				assert.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestResultConstructors(t *testing.T) {
	res, err := desktop.JSONResult(map[string]int{"rows": 2})
	require.NoError(t, err)
	assert.JSONEq(t, `{"status":"success","content":[{"json":{"rows":2}}]}`, marshal(t, res))
	_, err = desktop.JSONResult(make(chan int))
	assert.EqualError(t, err, "desktop: result: json: unsupported type: chan int")

	assert.JSONEq(t, `{"status":"success","content":[{"text":"x"}]}`, marshal(t, desktop.TextResult("x")))
	assert.JSONEq(t, `{"status":"success","content":[{"image":{"media_type":"image/png","data":"AQ=="}}]}`, marshal(t, imageResult("image/png", []byte{1})))
	assert.JSONEq(t, `{"status":"failure","error":"no 7 here"}`, marshal(t, desktop.FailureResult("no %d here", 7)))
}

func TestResultErr(t *testing.T) {
	assert.NoError(t, desktop.TextResult("x").Err())
	assert.EqualError(t, desktop.FailureResult("disabled").Err(), "desktop: failed: disabled")
	assert.EqualError(t, desktop.Result{Status: desktop.Failure}.Err(), "desktop: failed: it gave no reason")
	assert.EqualError(t, desktop.Result{Status: desktop.Skipped}.Err(), "desktop: failed: it was skipped")
	assert.Error(t, desktop.Result{}.Err(), "what has no status is no success")
}

func TestObserving(t *testing.T) {
	window := desktop.Window{ID: "1", Root: "winword", Process: "report.docx", Title: "report.docx - Word"}
	jsonResult := func(v any) desktop.Result {
		res, err := desktop.JSONResult(v)
		require.NoError(t, err)
		return res
	}
	image := imageResult("image/png", dot(t))
	webp := imageResult("image/webp", []byte("RIFF"))
	windows := func(ctx context.Context, d desktop.Desktop) (any, error) { return desktop.Windows(ctx, d) }
	appWindow := func(ctx context.Context, d desktop.Desktop) (any, error) { return desktop.AppWindow(ctx, d) }
	tree := func(ctx context.Context, d desktop.Desktop) (any, error) { return desktop.UITree(ctx, d) }
	picture := func(ctx context.Context, d desktop.Desktop) (any, error) {
		return desktop.Screenshot(ctx, d, desktop.CaptureWindowScreenshot)
	}
	controls := []desktop.Control{{ID: "1", Name: "File", Children: []desktop.Control{{ID: "2"}}}}

	for name, tt := range map[string]struct {
		call func(context.Context, desktop.Desktop) (any, error)
		tool string
		res  desktop.Result
		want any
		err  string
	}{
		"windows":            {windows, "get_desktop_app_info", jsonResult([]desktop.Window{window}), []desktop.Window{window}, ""},
		"windows as text":    {windows, "get_desktop_app_info", desktop.TextResult(` [{"id":"1"}] `), []desktop.Window{{ID: "1"}}, ""},
		"window without id":  {windows, "get_desktop_app_info", jsonResult([]desktop.Window{window, {}}), nil, "desktop: get_desktop_app_info: bad result: window 1 has no id"},
		"same id twice":      {windows, "get_desktop_app_info", jsonResult([]desktop.Window{window, window}), nil, `desktop: get_desktop_app_info: bad result: two windows have the id "1"`},
		"windows in words":   {windows, "get_desktop_app_info", desktop.TextResult("two windows"), nil, "desktop: get_desktop_app_info: bad result: desktop: the result has no such content"},
		"window":             {appWindow, "get_app_window", jsonResult([]desktop.Window{window}), window, ""},
		"window alone":       {appWindow, "get_app_window", jsonResult(window), window, ""},
		"window null":        {appWindow, "get_app_window", jsonResult(nil), nil, "desktop: get_app_window: bad result: 0 windows instead of one"},
		"tree":               {tree, "get_ui_tree", jsonResult(controls), controls, ""},
		"ids used twice":     {tree, "get_ui_tree", jsonResult([]desktop.Control{{ID: "1", Children: []desktop.Control{{ID: "1"}}}}), nil, `desktop: get_ui_tree: bad result: two controls have the id "1"`},
		"picture":            {picture, "capture_window_screenshot", image, image.Content[0].Image, ""},
		"no picture":         {picture, "capture_window_screenshot", desktop.TextResult("saved"), nil, "desktop: capture_window_screenshot: bad result: desktop: the result has no such content"},
		"another form":       {picture, "capture_window_screenshot", webp, webp.Content[0].Image, ""},
		"wrongly named form": {picture, "capture_window_screenshot", imageResult("image/jpeg", dot(t)), image.Content[0].Image, ""},
		"torn picture":       {picture, "capture_window_screenshot", imageResult("image/png", []byte{1}), nil, `desktop: capture_window_screenshot: bad result: the image, said to be "image/png", cannot be read: image: unknown format`},
		"of no form":         {picture, "capture_window_screenshot", imageResult("text/html", []byte("<p>")), nil, `desktop: capture_window_screenshot: bad result: the image, said to be "text/html", cannot be read: image: unknown format`},
		"windows as numbers": {windows, "get_desktop_app_info", jsonResult([]int{1}), nil, "desktop: get_desktop_app_info: bad result: json: cannot unmarshal number into Go value of type desktop.Window"},
		"picture refused":    {picture, "capture_window_screenshot", desktop.FailureResult("minimised"), nil, "desktop: capture_window_screenshot failed: minimised"},
		"cut":                {tree, "get_ui_tree", desktop.Result{}, nil, `desktop: get_ui_tree: bad result: unknown status ""`},
	} {
		t.Run(name, func(t *testing.T) {
			d := answers(tt.res, nil)
			got, err := tt.call(t.Context(), d)
			if tt.err != "" {
				assert.EqualError(t, err, tt.err)
			} else {
				require.NoError(t, err)
				assert.Equal(t, tt.want, got)
			}
			require.Len(t, d.got, 1)
			cmd := d.got[0]
			assert.Equal(t, tt.tool, cmd.ToolName)
			assert.True(t, cmd.Looks)
			assert.NoError(t, wellKnownBox(t).Check(cmd))
		})
	}
}
