package linuxdesktop_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/libreoffice"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

func TestPolicy(t *testing.T) {
	in := func(path ...desktop.Control) []desktop.Control { return path }
	button := func(name string) desktop.Control { return desktop.Control{ID: "1.1", Type: "push button", Name: name} }
	dialog := func(name string) desktop.Control { return desktop.Control{ID: "0x1", Type: "Dialog", Name: name} }
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1.1"}}
	with := func(cmd desktop.Command, more map[string]any) desktop.Command {
		cmd.Parameters = maps.Clone(cmd.Parameters)
		maps.Copy(cmd.Parameters, more)
		return cmd
	}
	keys := func(keys string) desktop.Command {
		return desktop.Command{ToolName: desktop.KeyboardInput, Parameters: map[string]any{"id": "1.1", "keys": keys}}
	}
	menu := func(path ...any) desktop.Command {
		return desktop.Command{ToolName: desktop.SelectMenu, Parameters: map[string]any{"path": path}}
	}
	tool := func(name string) desktop.Command {
		return desktop.Command{ToolName: name, Parameters: map[string]any{}}
	}
	launch := func(name string, argv ...any) desktop.Command {
		return desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": name, "command": argv}}
	}
	line := desktop.Command{ToolName: desktop.SetEditText, Parameters: map[string]any{"id": "1.1", "text": "a"}}
	lines := with(line, map[string]any{"text": "a\nb"})
	text := desktop.Control{ID: "1.1", Type: "text", Name: "Name"}
	document := desktop.Control{ID: "1.1", Type: "document text"}
	bar := desktop.Control{ID: "1.2", Type: "tool bar"}
	page := desktop.Control{ID: "1.3", Type: "document web"}
	sheet := desktop.Control{ID: "1.4", Type: "document spreadsheet"}
	cell := func(name, value string) desktop.Control {
		return desktop.Control{ID: "1.1", Type: "table cell", Name: name, Value: value}
	}
	const overwrites = "keys can change what cells hold"
	grid := desktop.Control{ID: "1.1", Type: "table", Name: "Sheet Sheet1"}
	opts := &linuxdesktop.PolicyOptions{
		Allow: []linuxdesktop.Choice{
			{Dialog: "Save", Control: "Save"}, {Control: "file > save as"}, {Dialog: "Confirm File Format", Control: "Use Excel 2007-365!"},
		},
		Programs: map[string][]string{"writer": {"soffice", "--writer"}}, Words: []string{"drucken"},
	}
	for name, test := range map[string]struct {
		cmd    desktop.Command
		path   []desktop.Control
		reason string // "": allowed
	}{
		"a field":                      {click, in(text), ""},
		"what nobody has seen":         {click, nil, "the control is not known"},
		"a cell":                       {click, in(desktop.Control{ID: "1.1", Type: "table cell"}), ""},
		"a cell twice":                 {with(click, map[string]any{"double": true}), in(desktop.Control{ID: "1.1", Type: "table cell", Name: "a.sh"}), `it can open "a.sh"`},
		"another button of the mouse":  {with(click, map[string]any{"button": "right"}), in(text), "it is no plain click"},
		"cancel":                       {click, in(dialog("Save"), button("Cancel")), ""},
		"yes":                          {click, in(dialog("Question"), button("Yes")), `nobody knows what the push button "Yes" of the dialog "Question" does`},
		"a button of the window":       {click, in(button("Go")), `nobody knows what the push button "Go" does`},
		"a choice":                     {click, in(dialog("Save"), button("Save")), ""},
		"a choice with other dots":     {click, in(dialog("confirm file format"), button("Use Excel 2007-365!")), ""},
		"that button elsewhere":        {click, in(dialog("Replace"), button("Save")), `nobody knows what the push button "Save" of the dialog "Replace" does`},
		"that button in no dialog":     {click, in(button("Save")), `the push button "Save" may keep, send or lose something`},
		"bold in a tool bar":           {click, in(bar, button("Bold")), ""},
		"delete in a tool bar":         {click, in(bar, button("Delete")), `the push button "Delete" may keep, send or lose something`},
		"without a name in a tool bar": {click, in(bar, button("")), `nobody knows what the push button "" does`},
		"text":                         {desktop.Command{ToolName: desktop.SetEditText}, in(text), ""},
		"text for the unseen":          {desktop.Command{ToolName: desktop.SetEditText}, nil, "the control is not known"},
		"a cell's text":                {desktop.Command{ToolName: "write_cells"}, in(desktop.Control{ID: "1.1", Type: "table"}), ""},
		"a text for cells with others": {desktop.Command{ToolName: "write_cells", Parameters: map[string]any{"replace": true}}, in(desktop.Control{ID: "1.1", Type: "table"}), "it can replace what the cells hold"},
		"a text for empty cells":       {desktop.Command{ToolName: "write_cells", Parameters: map[string]any{"replace": false}}, in(desktop.Control{ID: "1.1", Type: "table"}), ""},
		"lines as a text":              {lines, in(document), ""},
		"lines in a field of a window": {lines, in(text), ""},
		"lines in a field of a dialog": {lines, in(dialog("Save"), text), "a line break can push a button"},
		"lines in a field of one line": {lines, in(desktop.Control{ID: "1.1", Type: "entry"}), "a line break can push a button"},
		"a text for a terminal":        {line, in(desktop.Control{ID: "1.1", Type: "terminal"}), "a terminal may run it"},
		"no":                           {click, in(dialog("Save changes?"), button("No")), `nobody knows what the push button "No" of the dialog "Save changes?" does`},
		"a text on a button":           {line, in(dialog("Save Changes"), button("Save")), `the push button "Save" is no field of text`},
		"a text inside a button":       {click, in(page, button("Delete all"), desktop.Control{ID: "1.1", Type: "paragraph", Value: "Delete all"}), `the push button "Delete all" may keep, send or lose something`},
		"an item of a page":            {click, in(page, desktop.Control{ID: "1.1", Type: "list item", Name: "Send everything"}), `the list item "Send everything" may keep, send or lose something`},
		"an item of a list":            {click, in(desktop.Control{ID: "1.1", Type: "list item", Name: "delete.txt"}), ""},
		"a file twice":                 {desktop.Command{ToolName: desktop.DoubleClick}, in(desktop.Control{ID: "1.1", Type: "table", Value: "f.txt"}), `it can open "f.txt"`},
		"a word twice":                 {with(click, map[string]any{"double": true}), in(text), ""},
		"enter on a file":              {keys("{ENTER}"), in(desktop.Control{ID: "1.1", Type: "table cell"}), `keys can push the table cell ""`},
		"keys that select in a sheet":  {keys("^{HOME}+{RIGHT 3}^c"), in(sheet, grid), ""},
		"keys into some cell":          {keys("12"), in(sheet, grid), overwrites},
		"keys into an empty cell":      {keys("{DEL}12{%}{BACK}{ENTER}{DOWN}"), in(sheet, grid, cell("B2", "")), ""},
		"keys into a filled cell":      {keys("12"), in(sheet, grid, cell("B2", "1,200")), overwrites},
		"delete what a cell holds":     {keys("{DEL}"), in(sheet, grid, cell("B2", "1,200")), overwrites},
		"cut what a cell holds":        {keys("^x"), in(sheet, grid, cell("B2", "1,200")), overwrites},
		"keys into a cell with a name": {keys("12"), in(sheet, grid, cell("1,200", "")), overwrites},
		"keys into the next cell":      {keys("12{ENTER}13"), in(sheet, grid, cell("B2", "")), overwrites},
		"keys into all cells":          {keys("^a{DEL}"), in(sheet, grid, cell("B2", "")), overwrites},
		"paste over the cells around":  {keys("^v"), in(sheet, grid, cell("B2", "")), overwrites},
		"undo in a sheet":              {keys("^z"), in(sheet, grid, cell("B2", "")), overwrites},
		"a formula in a sheet":         {keys("=WEBSERVICE(A1){ENTER}"), in(sheet, grid), "the cell may become a formula, which can send what other cells hold"},
		"a formula with a plus":        {keys("{+}WEBSERVICE{(}A1{)}{ENTER}"), in(sheet, grid), "the cell may become a formula, which can send what other cells hold"},
		"a number with a sign":         {keys("{+}-3.5{TAB}"), in(sheet, grid, cell("AB12", "")), ""},
		"shift and delete":             {keys("+{DEL}"), in(text), `the keys "+{DEL}" can do more than write`},
		"escape on a button":           {keys("{ESC}"), in(button("Save")), `keys can push the push button "Save"`},
		"the wheel over a choice":      {desktop.Command{ToolName: desktop.WheelMouseInput}, in(desktop.Control{ID: "1.1", Type: "combo box", Name: "Type"}), `the wheel can choose something else in the combo box "Type"`},
		"save in other letters":        {menu("File", "sAve"), nil, `the menu entry "File > sAve" may keep, send or lose something`},
		"save with what nobody sees":   {menu("File", "Sa\ufffcve"), nil, `the menu entry "File > Sa\ufffcve" may keep, send or lose something`},
		"save with a joiner":           {menu("File", "Sa\u200bve"), nil, `the menu entry "File > Sa\u200bve" may keep, send or lose something`},
		"a menu to send to":            {menu("File", "Send To", "Desktop"), nil, `the menu entry "File > Send To > Desktop" may keep, send or lose something`},
		"a menu with a word":           {menu("Format", "Cells..."), nil, ""},
		"letters":                      {keys("12{%} ^a{DEL}"), in(text), ""},
		"lines in a document":          {keys("a{ENTER}b"), in(document), ""},
		"enter in a field of a dialog": {keys("a{ENTER}"), in(dialog("Save"), text), `the keys "a{ENTER}" can do more than write`},
		"a shortcut":                   {keys("^s"), in(document), `the keys "^s" can do more than write`},
		"space on a button":            {keys(" "), in(button("Buy")), `keys can push the push button "Buy"`},
		"keys for the focus":           {with(keys("a"), map[string]any{"control_focus": false}), in(text), "these keys go where the input focus is"},
		"keys for nobody":              {keys("a"), nil, "nobody has seen where these keys go"},
		"escape":                       {keys("{ESC}"), nil, ""},
		"no keys":                      {keys("{NO}"), nil, ""},
		"a menu entry":                 {menu("Insert", "Chart..."), nil, ""},
		"save":                         {menu("File", "Save"), nil, `the menu entry "File > Save" may keep, send or lose something`},
		"an entry that is allowed":     {menu("File", "Save As..."), nil, ""},
		"a word of another language":   {menu("Datei", "Drucken..."), nil, `the menu entry "Datei > Drucken..." may keep, send or lose something`},
		"no entry":                     {menu(), nil, "it names no entry"},
		"a program":                    {desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "writer"}}, nil, ""},
		"a program by its command":     {launch("writer", "soffice", "--writer"), nil, ""},
		"a program by another command": {launch("writer", "sh", "-c", "rm -r ~"), nil, `it starts "writer" with a command that is not on the list`},
		"what starts no program":       {desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": 1}}, nil, "it starts a program"},
		"another program":              {desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "sh"}}, nil, "it starts a program"},
		"close":                        {tool(desktop.CloseApplication), nil, "what is not saved in the window is lost"},
		"drag":                         {tool(desktop.DragOnCoordinates), nil, "nobody knows what the drag does"},
		"look":                         {tool(desktop.GetUITree), nil, ""},
		"wheel":                        {tool(desktop.WheelMouseInput), nil, ""},
		"a shell":                      {tool(desktop.RunShell), nil, "it is a shell command"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if test.path != nil {
				ctx = policies.WithControl(ctx, test.path...)
			}
			described, _ := desktop.ToolNamed(test.cmd.ToolName)
			v := libreoffice.Policy(linuxdesktop.Policy(opts))(ctx, described, test.cmd)
			if test.reason == "" {
				assert.Equal(t, policies.Verdict{Action: policies.Allow}, v)
				return
			}
			assert.Equal(t, policies.Verdict{Action: policies.Confirm, Reason: test.reason}, v)
		})
	}
}

func TestPolicyWithoutOptions(t *testing.T) {
	v := linuxdesktop.Policy(nil)(t.Context(), desktop.Tool{}, desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "writer"}})
	assert.Equal(t, policies.Confirm, v.Action)
}
