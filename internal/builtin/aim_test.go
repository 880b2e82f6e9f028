package builtin_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

type aim struct {
	tool        desktop.Tool
	args        map[string]any
	label, text string
	want        map[string]any
	refused     string
}

func aimed(t *testing.T, shown []desktop.Control, cases map[string]aim) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.tool.Name == "" {
				c.tool.Name = "pin"
			}
			box, err := desktop.NewToolbox([]desktop.Tool{c.tool}, nil)
			require.NoError(t, err)
			err = builtin.Aim(box, c.tool.Name, c.args, c.label, c.text, shown)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, c.args)
		})
	}
}

func TestAim(t *testing.T) {
	click, ok := desktop.ToolNamed(desktop.ClickInput)
	require.True(t, ok)
	aimed(t, nil, map[string]aim{
		"both":                  {click, map[string]any{}, "7", "Save", map[string]any{"id": "7", "name": "Save"}, ""},
		"nothing known":         {click, map[string]any{}, "", "", map[string]any{}, ""},
		"a null is nothing":     {click, map[string]any{"id": nil}, "7", "", map[string]any{"id": "7"}, ""},
		"given already":         {click, map[string]any{"id": "7", "name": "Store"}, "7", "Save", map[string]any{"id": "7", "name": "Store"}, ""},
		"given as a number":     {click, map[string]any{"id": 1000000.0}, "1000000", "", map[string]any{"id": 1000000.0}, ""},
		"given as json.Number":  {click, map[string]any{"id": json.Number("7")}, "7", "", map[string]any{"id": json.Number("7")}, ""},
		"given without a label": {click, map[string]any{"id": "8"}, "", "Save", map[string]any{"id": "8", "name": "Save"}, ""},
		"another id":            {click, map[string]any{"id": "8"}, "7", "", nil, `ControlLabel is "7", but the argument "id" is "8"`},
		"no id at all":          {click, map[string]any{"id": math.NaN()}, "7", "", nil, `ControlLabel is "7", but the argument "id" is "NaN"`},
		"a tool without them":   {desktop.Tool{Name: "pin", InputSchema: []byte(`{"properties": {"x": {}}}`)}, map[string]any{}, "7", "Save", nil, `ControlLabel is "7", but "pin" has no argument "id"`},
		"a tool without schema": {desktop.Tool{Name: "pin"}, map[string]any{}, "7", "Save", nil, `ControlLabel is "7", but "pin" has no argument "id"`},
		"a boolean schema":      {desktop.Tool{Name: "pin", InputSchema: []byte(`true`)}, map[string]any{}, "7", "", nil, `ControlLabel is "7", but "pin" has no argument "id"`},
		"another argument":      {desktop.Tool{Name: "pin"}, map[string]any{"ref": 3.0}, "7", "", nil, `ControlLabel is "7", but "pin" has no argument "id"`},
		"the same in another":   {desktop.Tool{Name: "pin"}, map[string]any{"ref": 7.0}, "7", "Save", map[string]any{"ref": 7.0}, ""},
		"a text alone":          {desktop.Tool{Name: "pin"}, map[string]any{}, "", "Save", nil, `ControlText is "Save", but "pin" has no argument "name"`},
		"a text and arguments":  {desktop.Tool{Name: "pin"}, map[string]any{"x": 1.0}, "", "Save", map[string]any{"x": 1.0}, ""},
		"an id in allOf":        {desktop.Tool{InputSchema: []byte(`{"allOf": [{"properties": {"id": {}}}]}`)}, map[string]any{}, "7", "", map[string]any{"id": "7"}, ""},
	})
}

// Of a control that was shown the name is what the desktop says.
func TestAimAtWhatIsShown(t *testing.T) {
	known := func(name string) desktop.Tool {
		tool, ok := desktop.ToolNamed(name)
		require.True(t, ok)
		return tool
	}
	click, edit, selects := known(desktop.ClickInput), known(desktop.SetEditText), known(desktop.SelectApplicationWindow)
	own := desktop.Tool{Name: "rename", InputSchema: []byte(`{"properties": {"id": {}, "name": {}}}`)}
	type args = map[string]any
	aimed(t, []desktop.Control{{ID: "7", Children: []desktop.Control{{ID: "8", Name: "Inner"}}}, {ID: "9", Name: "Delete  All"}}, map[string]aim{
		"no name":                   {click, args{}, "9", "", args{"id": "9", "name": "Delete  All"}, ""},
		"its name":                  {edit, args{}, "9", "Delete  All", args{"id": "9", "name": "Delete  All"}, ""},
		"by its id":                 {click, args{"id": "9"}, "", "", args{"id": "9", "name": "Delete  All"}, ""},
		"by its id as a number":     {click, args{"id": 9.0}, "", "", args{"id": 9.0, "name": "Delete  All"}, ""},
		"a null is nothing":         {click, args{"id": "9", "name": nil}, "", "", args{"id": "9", "name": "Delete  All"}, ""},
		"spaces and case":           {click, args{"name": "delete all "}, "9", "\tDELETE\u00a0all", args{"id": "9", "name": "Delete  All"}, ""},
		"another text":              {click, args{}, "9", "OK", nil, `the control "9" is called "Delete  All", but ControlText is "OK"`},
		"another text by its id":    {edit, args{"id": "9"}, "", "OK", nil, `the control "9" is called "Delete  All", but ControlText is "OK"`},
		"another name":              {click, args{"id": "9", "name": "OK"}, "", "", nil, `the control "9" is called "Delete  All", but the argument "name" is "OK"`},
		"another name, right text":  {click, args{"name": "OK"}, "9", "Delete All", nil, `the argument "name" is "OK"`},
		"a name that is none":       {click, args{"name": 5.0}, "9", "", nil, `the argument "name" is "5"`},
		"an empty name":             {click, args{"name": ""}, "9", "", nil, `the argument "name" is ""`},
		"part of the name":          {click, args{}, "9", "Delete", nil, `but ControlText is "Delete"`},
		"a control in another":      {click, args{}, "8", "", args{"id": "8", "name": "Inner"}, ""},
		"without a name":            {click, args{}, "7", "the bin", args{"id": "7"}, ""},
		"without a name, given one": {click, args{"id": "7", "name": "OK"}, "", "", nil, `the control "7" is called "", but the argument "name" is "OK"`},
		"not shown":                 {click, args{"id": "6"}, "", "OK", args{"id": "6", "name": "OK"}, ""},
		"own tool":                  {own, args{}, "9", "delete all", args{"id": "9", "name": "Delete  All"}, ""},
		"own tool, another text":    {own, args{}, "9", "OK", nil, `but ControlText is "OK"`},
		"own tool, its own name":    {own, args{"name": "New"}, "9", "OK", args{"id": "9", "name": "New"}, ""},
		"own tool, no name":         {own, args{}, "9", "", args{"id": "9"}, ""},
		"a window":                  {selects, args{"id": "9"}, "", "Title", args{"id": "9", "name": "Title"}, ""},
		"a click without a name":    {desktop.Tool{Name: desktop.ClickInput, InputSchema: []byte(`{"properties": {"id": {}}}`)}, args{}, "9", "OK", args{"id": "9"}, ""},
	})
}
