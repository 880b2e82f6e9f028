package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/tables"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
)

// block is one of what read_document returns.
type block struct {
	Type   string     `json:"type"`
	Style  string     `json:"style"`
	Level  int        `json:"level"`
	Text   string     `json:"text"`
	Rows   [][]string `json:"rows"`
	Merged []struct {
		Row     int `json:"row"`
		Column  int `json:"column"`
		Rows    int `json:"rows"`
		Columns int `json:"columns"`
	} `json:"merged"`
}

var errNoDocument = errors.New("the window shows no document")

// readTables reads the tables of the document in the window that a Desktop is narrowed to. It goes past the interceptors
// of the run: what a tool does inside is no act of the agent.
func readTables(ctx context.Context, d desktop.Desktop, file string) ([]*tables.Table, error) {
	do := func(tool string, parameters map[string]any, into any) error {
		result, err := d.Execute(ctx, desktop.Command{ToolName: tool, Parameters: parameters})
		if err == nil {
			err = result.Err()
		}
		if err == nil {
			err = result.Decode(into)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", tool, err)
		}
		return nil
	}
	var tree []desktop.Control
	if err := do(desktop.GetUITree, map[string]any{}, &tree); err != nil {
		return nil, err
	}
	document := rules.Find(tree, func(c desktop.Control) bool { return c.Type == "document text" })
	if document == nil {
		return nil, errNoDocument
	}
	var blocks []block
	if err := do("read_document", map[string]any{"id": document.ID}, &blocks); err != nil {
		return nil, err
	}
	list := tables.Read(converted(blocks))
	if filepath.Ext(file) != ".docx" {
		return list, nil
	}
	return list, compare(list, file)
}

// compare refuses each table that another reader does not find in the file. Writer shows rows that Word hides, for
// instance.
func compare(list []*tables.Table, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	blocks, err := docx.Read(data)
	if err != nil {
		return fmt.Errorf("%s cannot be read to compare it: %w", filepath.Base(file), err)
	}
	var known [][][]any
	for _, t := range tables.Read(blocks) {
		if e, err := t.Extract(); err == nil {
			known = append(known, e.Rows)
		}
	}
	for _, t := range list {
		e, err := t.Extract()
		if err == nil && !slices.ContainsFunc(known, func(rows [][]any) bool { return reflect.DeepEqual(rows, e.Rows) }) {
			t.Unfit = "Writer does not show the rows that the file has"
		}
	}
	return nil
}

// converted are the blocks as package tables reads them.
func converted(blocks []block) (list []tables.Block) {
	for _, b := range blocks {
		c := tables.Block{Text: b.Text, Caption: strings.EqualFold(b.Style, "caption") || b.Style == "Table"}
		switch b.Type {
		case "heading":
			c.Level = b.Level
		case "table":
			c.Table = &tables.Source{Rows: b.Rows}
			for _, m := range b.Merged {
				c.Table.Merges = append(c.Table.Merges, tables.Merge{Row: m.Row - 1, Col: m.Column - 1, Rows: m.Rows, Cols: m.Columns})
			}
		}
		list = append(list, c)
	}
	return list
}
