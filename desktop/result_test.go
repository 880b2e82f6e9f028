package desktop_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/golden"
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

// What the funcs that look make of a result. PNG is an image of one pixel.
func TestObserving(t *testing.T) {
	png := base64.StdEncoding.EncodeToString(dot(t))
	golden.Cases(t, "observing.txt", func(text string) string {
		tool, raw, _ := strings.Cut(text, " ")
		res := desktop.Result{Status: desktop.Success}
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(raw, "PNG", png)), &res))
		d := answers(res, nil)
		var got any
		var err error
		switch tool {
		case desktop.GetDesktopAppInfo:
			got, err = desktop.Windows(t.Context(), d)
		case desktop.GetAppWindow:
			got, _, err = desktop.AppWindow(t.Context(), d)
		case desktop.GetUITree:
			got, err = desktop.UITree(t.Context(), d)
		default:
			got, err = desktop.Screenshot(t.Context(), d, tool)
		}
		require.Len(t, d.got, 1)
		cmd := d.got[0]
		assert.Equal(t, tool, cmd.ToolName)
		assert.True(t, cmd.Looks)
		require.NoError(t, wellKnownBox(t).Check(cmd))
		if err != nil {
			return err.Error()
		}
		return strings.ReplaceAll(marshal(t, got), png, "PNG")
	})
}
