package libreoffice

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

const (
	writeCells   = "write_cells"
	readDocument = "read_document"
)

// New returns the extension for [linuxdesktop.Options]. It is for one Desktop.
func New() linuxdesktop.Extension { return &office{own: map[ownCell]bool{}} }

type office struct {
	mu  sync.Mutex
	own map[ownCell]bool // cells that were written here
}

// Tools are read_document and write_cells.
func (o *office) Tools() []desktop.Tool {
	return []desktop.Tool{
		{
			Name:        readDocument,
			Description: "Read a text document from its beginning to its end, in view or not: headings, paragraphs, and tables with their rows. It copies the document, and moves the cursor.",
			InputSchema: json.RawMessage(`{"type": "object", "properties": {
				"id": {"description": "The id of the document, a document text.", "type": "string", "minLength": 1},
				"first": {"description": "The number of the first to return, from 1.", "type": "integer", "minimum": 1, "default": 1},
				"blocks": {"description": "How many to return. None: all.", "type": "integer", "minimum": 1, "maximum": 2000}},
				"required": ["id"], "additionalProperties": false}`),
			Annotations: desktop.Annotations{Title: "Read a document", ReadOnlyHint: true},
		},
		{
			Name:        writeCells,
			Description: "Write rows into a spreadsheet, and read them back. A text stays a text, also one such as 2024. One such as =A1 is refused: it could become a formula.",
			InputSchema: json.RawMessage(`{"type": "object", "properties": {
				"id": {"description": "The id of the sheet, a table.", "type": "string", "minLength": 1},
				"cell": {"description": "The first cell, such as B3.", "type": "string", "pattern": "^[A-Z]{1,3}[1-9][0-9]{0,6}$", "default": "A1"},
				"numbers_from": {"description": "From this cell on, to the right and down, texts such as 1,204.5 or -3 are written as numbers. None: nowhere.", "type": "string", "pattern": "^[A-Z]{1,3}[1-9][0-9]{0,6}$"},
				"rows": {"description": "The rows: numbers, texts, and null for a cell that stays as it is.", "type": "array", "minItems": 1, "maxItems": 500,
					"items": {"type": "array", "maxItems": 100, "items": {"type": ["string", "number", "null"]}}},
				"replace": {"description": "Whether cells that hold something else may be replaced. Without it that fails.", "type": "boolean", "default": false}},
				"required": ["id", "rows"], "additionalProperties": false}`),
			Annotations: desktop.Annotations{Title: "Write cells", IdempotentHint: true},
		},
	}
}

// Execute runs the commands that LibreOffice needs in another way.
func (o *office) Execute(ctx context.Context, s screen.Screen, cmd desktop.Command) (res desktop.Result, done bool, err error) {
	switch cmd.ToolName {
	case writeCells:
		res, err = o.write(ctx, s, cmd)
	case readDocument:
		res, err = read(ctx, s, cmd)
	case desktop.ReadTable:
		return readTable(ctx, s, cmd)
	case desktop.SelectMenu:
		return selectMenu(ctx, s, cmd)
	default:
		return res, false, nil
	}
	return res, true, err
}

// selectMenu has the entry of a menu act: LibreOffice does not show its menus to the tree, and acts on entries of closed ones.
func selectMenu(ctx context.Context, s screen.Screen, cmd desktop.Command) (res desktop.Result, done bool, err error) {
	var a struct {
		Path []string `json:"path"`
	}
	if err := cmd.Decode(&a); err != nil {
		return res, true, err
	}
	entry, w, err := s.Menu(ctx)
	if root := w.Program(); err != nil || !strings.HasPrefix(root, "libreoffice") && root != "soffice" {
		return res, err != nil, err
	}
	for _, name := range a.Path {
		if entry, err = s.Entry(ctx, entry, name); err != nil {
			return res, true, err
		}
	}
	last := screen.Clip(a.Path[len(a.Path)-1], screen.MaxName)
	if n, err := s.Tree().ChildCount(ctx, entry); err == nil && n > 0 {
		return res, true, fmt.Errorf("%q is a menu: name one of its entries, too", last)
	}
	res, err = s.Act(ctx, w, func() (string, error) {
		ok, err := s.Tree().DoAction(ctx, entry)
		switch {
		case err != nil:
			return "", &screen.HalfDoneError{What: fmt.Sprintf("%q was selected", last), Err: err}
		case !ok:
			return "", fmt.Errorf("the program does not act on %q", last)
		}
		return "selected", nil
	})
	return res, true, err
}

// Policy returns a policy that asks about write_cells if it may replace what cells hold, and about all else as next says. A sheet
// that nobody has seen is asked about.
func Policy(next policies.Func) policies.Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if cmd.ToolName != writeCells { // which refuses formulas, and all but sheets
			return next(ctx, tool, cmd)
		}
		if _, seen := policies.ControlOf(ctx); !seen {
			return policies.Verdict{Action: policies.Confirm, Reason: "the control is not known"}
		}
		if replace, _ := cmd.Parameters["replace"].(bool); replace {
			return policies.Verdict{Action: policies.Confirm, Reason: "it can replace what the cells hold"}
		}
		return policies.Verdict{Action: policies.Allow}
	}
}

func quote(s string) string { return strconv.QuoteToASCII(screen.Clip(s, screen.MaxName)) }
