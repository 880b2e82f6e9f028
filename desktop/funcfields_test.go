package desktop_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// A schema that is more generous than the types is no way past what it says.
func TestNamesInAnotherCase(t *testing.T) {
	type line struct {
		Dest string `json:"dest"`
	}
	type in struct {
		line
		Lines []line          `json:"lines"`
		Named map[string]line `json:"named"`
		Next  *in             `json:"next"`
		Any   any             `json:"any"`
		Raw   json.RawMessage `json:"raw"`
	}
	var got []in
	d := open(t, desktop.Func("x", "", func(_ context.Context, in in) (struct{}, error) {
		got = append(got, in)
		return struct{}{}, nil
	}, &desktop.FuncOptions{InputSchema: json.RawMessage(`{"type":"object","properties":{"dest":{"type":"string","enum":["ok"]}}}`)}))
	call := func(p params) desktop.Result {
		res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "x", Parameters: p})
		require.NoError(t, err)
		return res
	}
	evil := params{"dest": "ok", "DEST": "evil"}
	for want, p := range map[string]params{
		"$.DEST: is not allowed, the name is dest":           {"DEST": "evil"},
		`$["deſt"]: is not allowed, the name is dest`:        {"dest": "ok", "deſt": "evil"},
		"$.lines[1].DEST: is not allowed, the name is dest":  {"lines": []params{{}, evil}},
		"$.named.DEST.DEST: is not allowed, the name is des": {"named": params{"DEST": evil}},
		"$.next.next.DEST: is not allowed, the name is dest": {"next": params{"next": evil}},
		"$.ANY: is not allowed, the name is any":             {"ANY": 1},
	} {
		res := call(p)
		assert.Equal(t, desktop.Failure, res.Status, want)
		assert.Contains(t, res.Error, want)
		assert.NotContains(t, res.Error, "evil", "no value is quoted")
	}
	assert.Empty(t, got, "what is refused is not executed")

	res := call(params{"dest": "ok", "next": params{"dest": "a"}, "named": params{"DEST": params{"dest": "b"}},
		"any": params{"DEST": "d"}, "raw": params{"DEST": "e"}, "else": 1})
	require.NoError(t, res.Err())
	require.Len(t, got, 1)
	assert.Equal(t, "ok", got[0].Dest)
	assert.Equal(t, "a", got[0].Next.Dest)
	assert.Equal(t, "b", got[0].Named["DEST"].Dest)
	assert.Equal(t, params{"DEST": "d"}, got[0].Any)
	assert.JSONEq(t, `{"DEST":"e"}`, string(got[0].Raw))
}

// What is embedded is described as encoding/json reads it.
func TestEmbeddedFields(t *testing.T) {
	type Loop struct {
		*Loop
		Deep string `json:"deep"`
		Gone string
	}
	type in struct {
		place `json:"at"`
		Loop
		Deep int      `json:"deep"` // in Go, and in JSON, in front of that of Loop
		Gone struct{} `json:"-"`    // JSON does not have it, so that of Loop is not hidden
	}
	var got in
	made := desktop.Func("x", "", func(_ context.Context, in in) (struct{}, error) {
		got = in
		return struct{}{}, nil
	}, nil)
	assert.Equal(t, `{"type":"object","properties":{`+
		`"at":{"type":"object","properties":{"sheet":{"type":"string","description":"its name"},"Row":{"type":"integer","minimum":0}},`+
		`"required":["Row"],"additionalProperties":false},`+
		`"Gone":{"type":"string"},"deep":{"type":"integer"}},"required":["at","Gone","deep"],"additionalProperties":false}`, string(described(t, made).InputSchema))
	res, err := desktop.Execute(t.Context(), open(t, made), desktop.Command{ToolName: "x", Parameters: params{"at": params{"Row": 2}, "deep": 3, "Gone": "x"}})
	require.NoError(t, err)
	require.NoError(t, res.Err())
	assert.Equal(t, uint(2), got.Row)
	assert.Equal(t, 3, got.Deep)
	assert.Equal(t, "x", got.Loop.Gone)
}

// A blank schema allows anything, as that of a Tool does.
func TestFuncWithABlankSchema(t *testing.T) {
	d := open(t, wants[struct{ A int }](" "))
	res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "x", Parameters: params{"b": 1}})
	require.NoError(t, err)
	assert.NoError(t, res.Err())
}
