package processor_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

func TestAim(t *testing.T) {
	click, ok := desktop.ToolNamed(desktop.ClickInput)
	require.True(t, ok)
	for name, c := range map[string]struct {
		tool        desktop.Tool
		args        map[string]any
		label, text string
		want        map[string]any
		refused     string
	}{
		"both":                  {click, map[string]any{}, "7", "Save", map[string]any{"id": "7", "name": "Save"}, ""},
		"nothing known":         {click, map[string]any{}, "", "", map[string]any{}, ""},
		"a null is nothing":     {click, map[string]any{"id": nil}, "7", "", map[string]any{"id": "7"}, ""},
		"given already":         {click, map[string]any{"id": "7", "name": "Store"}, "7", "Save", map[string]any{"id": "7", "name": "Store"}, ""},
		"given as a number":     {click, map[string]any{"id": 1000000.0}, "1000000", "", map[string]any{"id": 1000000.0}, ""},
		"given as json.Number":  {click, map[string]any{"id": json.Number("7")}, "7", "", map[string]any{"id": json.Number("7")}, ""},
		"given without a label": {click, map[string]any{"id": "8"}, "", "Save", map[string]any{"id": "8", "name": "Save"}, ""},
		"another id":            {click, map[string]any{"id": "8"}, "7", "", nil, `ControlLabel is "7", but the argument id is "8"`},
		"no id at all":          {click, map[string]any{"id": math.NaN()}, "7", "", nil, `ControlLabel is "7", but the argument id is "NaN"`},
		"a tool without them":   {desktop.Tool{InputSchema: []byte(`{"properties": {"x": {}}}`)}, map[string]any{}, "7", "Save", map[string]any{}, ""},
		"a tool without schema": {desktop.Tool{}, map[string]any{}, "7", "Save", map[string]any{}, ""},
		"a boolean schema":      {desktop.Tool{InputSchema: []byte(`true`)}, map[string]any{}, "7", "Save", map[string]any{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := processor.Aim(c.tool, c.args, c.label, c.text)
			if c.refused != "" {
				require.EqualError(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, c.args)
		})
	}
}

func TestFindControl(t *testing.T) {
	tree := []desktop.Control{
		{ID: "1", Children: []desktop.Control{{ID: "2"}, {ID: "3", Children: []desktop.Control{{ID: "4", Name: "Save"}}}}},
		{ID: "5"},
	}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		c, ok := processor.FindControl(tree, id)
		assert.True(t, ok)
		assert.Equal(t, id, c.ID)
	}
	_, ok := processor.FindControl(tree, "6")
	assert.False(t, ok)
}

func TestOffer(t *testing.T) {
	offered := map[string]bool{}
	for _, tool := range processor.Offer(append(desktop.WellKnown(), desktop.Tool{Name: "write"})) {
		offered[tool.Name] = true
	}
	for _, name := range []string{"write", desktop.RunShell, desktop.ClickInput, desktop.Texts, desktop.Wait} {
		assert.True(t, offered[name], name)
	}
	for _, name := range []string{desktop.GetUITree, desktop.CaptureWindowScreenshot, desktop.ListTools} {
		assert.False(t, offered[name], name)
	}
	assert.Equal(t, []desktop.Tool{}, processor.Offer(nil), "a list in JSON")
}
