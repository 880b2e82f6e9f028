package desktop_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

type params = map[string]any

// tool makes a tool x that returns out.
func tool[Out any](out Out) *desktop.FuncTool {
	return desktop.Func("x", "", func(context.Context, struct{}) (Out, error) { return out, nil }, nil)
}

func open(t *testing.T, tools ...*desktop.FuncTool) desktop.Desktop {
	t.Helper()
	d, err := desktop.New(tools...)
	require.NoError(t, err)
	return d
}

func TestFuncResults(t *testing.T) {
	image := desktop.Image{MediaType: "image/png", Data: []byte{1}}
	for name, tt := range map[string]struct {
		tool *desktop.FuncTool
		want desktop.Result
	}{
		"text":           {tool("done"), desktop.TextResult("done")},
		"nothing":        {tool(struct{}{}), desktop.Result{Status: desktop.Success}},
		"nil":            {tool[any](nil), desktop.Result{Status: desktop.Success}},
		"image":          {tool(image), imageResult("image/png", []byte{1})},
		"image pointer":  {tool(&image), imageResult("image/png", []byte{1})},
		"contents":       {tool([]desktop.Content{{Text: "a"}}), desktop.TextResult("a")},
		"no image":       {tool[*desktop.Image](nil), desktop.FailureResult("there is no image")},
		"content":        {tool(desktop.Content{Text: "a"}), desktop.TextResult("a")},
		"result":         {tool(desktop.FailureResult("no")), desktop.FailureResult("no")},
		"without status": {tool(desktop.Result{}), desktop.Result{Status: desktop.Success}},
		"JSON":           {tool([]int{1}), desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(`[1]`)}}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, tt.tool)
			res, err := d.Execute(t.Context(), desktop.Command{ToolName: "x"})
			require.NoError(t, err)
			assert.Equal(t, tt.want, res)
			for _, c := range res.Content { // nothing of it is the func's
				clear(c.JSON)
				if c.Image != nil {
					clear(c.Image.Data)
				}
			}
			res, err = d.Execute(t.Context(), desktop.Command{ToolName: "x"})
			require.NoError(t, err)
			assert.Equal(t, tt.want, res)
		})
	}
	_, err := open(t, tool(make(chan int))).Execute(t.Context(), desktop.Command{ToolName: "x"})
	assert.ErrorContains(t, err, "desktop: result: json: unsupported type")
}

// described is what a desktop says of its only tool.
func described(t *testing.T, made *desktop.FuncTool) desktop.Tool {
	t.Helper()
	d := open(t, made)
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	clear(tools[0].InputSchema)
	tools, err = d.Tools(t.Context())
	require.NoError(t, err)
	assert.True(t, json.Valid(tools[0].InputSchema), "the caller has a copy")
	return tools[0]
}

func TestFuncErrors(t *testing.T) {
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	d := open(t,
		desktop.Func("no", "", func(context.Context, struct{}) (string, error) { return "", errors.New("the sheet is locked") }, nil),
		desktop.Func("cut", "", func(context.Context, struct{}) (string, error) {
			return "", &desktop.CallError{Err: io.ErrUnexpectedEOF}
		}, nil),
		desktop.Func("other", "", func(ctx context.Context, _ struct{}) (desktop.Result, error) {
			return desktop.Execute(ctx, answers(desktop.Result{}, io.ErrUnexpectedEOF), desktop.Command{ToolName: "far"})
		}, nil),
		desktop.Func("stop", "", func(ctx context.Context, _ struct{}) (string, error) {
			cancel(cause)
			return "", ctx.Err()
		}, nil),
		desktop.Func("panic", "", func(context.Context, struct{}) (string, error) { panic("no handles") }, nil),
	)
	res, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "no"})
	require.NoError(t, err)
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Equal(t, "the sheet is locked", res.Error)

	_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "cut"})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.EqualError(t, err, "desktop: cut: unexpected EOF")
	_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "other"})
	require.EqualError(t, err, "desktop: other: desktop: far: unexpected EOF", "a call in a call")

	assert.Panics(t, func() { _, _ = d.Execute(ctx, desktop.Command{ToolName: "panic"}) })

	_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "stop"})
	require.ErrorIs(t, err, cause)
	_, err = d.Execute(ctx, desktop.Command{ToolName: "panic"})
	require.ErrorIs(t, err, cause, "nothing runs under a context that is done")

	res, err = d.Execute(t.Context(), desktop.Command{ToolName: "fly"})
	require.NoError(t, err)
	assert.Equal(t, desktop.FailureResult(`desktop: unknown tool "fly"; the tools are: cut, no, other, panic, stop`), res)
}

type place struct {
	Sheet string `json:"sheet,omitempty" desc:"its name"`
	Row   uint
}

// everything has a field of each form.
type everything struct {
	place
	Kind   string            `json:"kind" enum:"bar,line" desc:"of chart"`
	Old    *bool             `json:"old"`
	Secret string            `json:"secret,omitempty" format:"password"`
	When   time.Time         `json:"when,omitzero"`
	Any    any               `json:"any,omitempty"`
	Level  level             `json:"level,omitempty"`
	Inner  struct{ N int32 } `json:"inner,omitzero"`
	Skip   chan int          `json:"-"`
	Pair   [2]int            `json:"pair,omitzero" enum:"1,2"`
	hidden int
}

// level is a text to JSON.
type level int

func (l *level) UnmarshalText(text []byte) error { *l = level(len(text)); return nil }

func TestFuncSchema(t *testing.T) {
	made := desktop.Func("x", "y", func(context.Context, *everything) (any, error) { return nil, nil },
		&desktop.Annotations{ReadOnlyHint: true})
	assert.Equal(t, `{"type":"object","properties":{`+
		`"sheet":{"type":"string","description":"its name"},`+
		`"Row":{"type":"integer","minimum":0},`+
		`"kind":{"type":"string","enum":["bar","line"],"description":"of chart"},`+
		`"old":{"type":"boolean"},`+
		`"secret":{"type":"string","format":"password"},`+
		`"when":{"type":"string","format":"date-time"},`+
		`"any":{},"level":{"type":"string"},`+
		`"inner":{"type":"object","properties":{"N":{"type":"integer"}},"required":["N"],"additionalProperties":false},`+
		`"pair":{"type":"array","items":{"type":"integer","enum":[1,2]},"minItems":2,"maxItems":2}},`+
		`"required":["Row","kind"],"additionalProperties":false}`, string(described(t, made).InputSchema))
	assert.Equal(t, "y", described(t, made).Description)
	assert.True(t, described(t, made).Annotations.ReadOnlyHint)
	assert.Zero(t, everything{}.hidden)
}

// Arguments come as their types say, or not at all.
func TestFuncArguments(t *testing.T) {
	var got []everything
	d := open(t, desktop.Func("x", "", func(_ context.Context, in everything) (struct{}, error) {
		got = append(got, in)
		return struct{}{}, nil
	}, nil))
	good := params{"Row": 3, "kind": "bar", "level": "abc", "old": true, "secret": "hunter2"}
	res := execute(t, d, desktop.Command{ToolName: "x", Parameters: good})
	require.NoError(t, res.Err())
	require.Len(t, got, 1)
	assert.Equal(t, uint(3), got[0].Row)
	assert.Equal(t, level(3), got[0].Level)
	assert.True(t, *got[0].Old)

	for want, change := range map[string]params{
		`"Row" is required`:                {"Row": nil},
		`"wor" is not allowed`:             {"wor": 1},
		`"ROW" is not allowed`:             {"ROW": 1},
		`"kind" must be one of`:            {"kind": "pie"},
		`"Row" must be at least 0`:         {"Row": -1},
		`"secret" must be of type string`:  {"secret": 12345678},
		"the object cannot be read":        {"when": "soon"},
		"cannot be written as JSON":        {"any": make(chan int)},
		"must not be of type number":       {"Row": json.Number("99999999999999999999999")},
		`"inner.N" must be of type intege`: {"inner": params{"N": "1"}},
		`"pair" must have at most 2 items`: {"pair": []int{1, 2, 2}},
	} {
		p := maps.Clone(good)
		for name, v := range change {
			if p[name] = v; v == nil {
				delete(p, name)
			}
		}
		res, err := d.Execute(t.Context(), desktop.Command{ToolName: "x", Parameters: p})
		require.NoError(t, err, want)
		assert.Equal(t, desktop.Failure, res.Status, want)
		assert.Contains(t, res.Error, want)
		assert.NotContains(t, res.Error, "12345678", "no value is quoted")
	}
	assert.Len(t, got, 1, "what does not fit is not executed")
}

// A map with string keys takes any names.
func TestFuncThatTakesAMap(t *testing.T) {
	d := open(t, desktop.Func("x", "", func(_ context.Context, in map[string]int) (int, error) { return in["a"] + in["b"], nil }, nil))
	res, err := d.Execute(t.Context(), desktop.Command{ToolName: "x", Parameters: params{"a": 1, "b": 2}})
	require.NoError(t, err)
	assert.Equal(t, "3", res.Text())
}

type lists []lists

func takes[In any]() *desktop.FuncTool {
	return desktop.Func("x", "", func(context.Context, In) (any, error) { return nil, nil }, nil)
}

func TestToolsThatCannotBe(t *testing.T) {
	type twice struct {
		Row   int
		Other string `json:"Row"`
	}
	for want, made := range map[string]*desktop.FuncTool{
		`desktop: tool "x" cannot be used: its parameters are an object, so string must be a struct or a map`: takes[string](),
		`desktop: tool "x" cannot be used: A: desktop_test.lists is a list or map of itself`:                  takes[struct{ A lists }](),
		`desktop: tool "x" cannot be used: A: JSON has no chan int`:                                           takes[struct{ A chan int }](),
		`desktop: tool "x" cannot be used: Other: another field of desktop_test.twice is called "Row"`:        takes[twice](),
		`desktop: tool "x" cannot be used: N: with the option string in its json tag its value would have to come in quotes: leave the option out`: takes[struct {
			N *int `json:"n,omitempty,string"`
		}](),
		`desktop: tool "x" cannot be used: Sheet: nothing can set a pointer to desktop_test.place, which is not exported: embed the struct itself`: takes[struct{ *place }](),
		`desktop: tool "x" cannot be used: place: nothing can set a pointer to desktop_test.place, which is not exported: embed the struct itself`: takes[struct {
			*place `json:"at"`
		}](),
		`desktop: tool "x" cannot be used: its parameters are an object, but JSON reads netip.Addr from a string`: takes[netip.Addr](),
		"desktop: tool 0 cannot be used: it is nil":                                                               nil,
		`desktop: tool "x" cannot be used: its func is nil`:                                                       desktop.Func[struct{}, any]("x", "", nil, nil),
		"desktop: tool 0 cannot be used: has no name":                                                             desktop.Func("", "", func(context.Context, struct{}) (any, error) { return nil, nil }, nil),
	} {
		d, err := desktop.New(made)
		require.EqualError(t, err, want)
		assert.Nil(t, d)
	}
	_, err := desktop.New(tool(1), tool(2))
	require.EqualError(t, err, `desktop: tool "x" cannot be used: another tool has the same name`)
	_, err = desktop.New(takes[string](), nil)
	require.ErrorContains(t, err, "desktop: tool 1 cannot be used: it is nil", "all of them are told")
}
