package job

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
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
	var texts []string
	for _, b := range blocks {
		texts = append(texts, b.Text)
	}
	list := tables.Read(sources(blocks), texts...)
	if filepath.Ext(file) != ".docx" {
		return list, nil
	}
	return list, compare(list, file)
}

// compare refuses each table that another reader does not find in the file. Writer shows rows that Word hides, for
// instance.
func compare(list []*tables.Table, file string) error {
	sources, texts, err := readDocx(file)
	if err != nil {
		return fmt.Errorf("%s cannot be read to compare it: %w", filepath.Base(file), err)
	}
	var known [][][]any
	for _, t := range tables.Read(sources, texts...) {
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

// sources are the tables among blocks, with what may name them.
func sources(blocks []block) (list []tables.Source) {
	var headings []block // the last one, and those that it is under
	for i, b := range blocks {
		switch b.Type {
		case "heading":
			headings = append(slices.DeleteFunc(headings, func(h block) bool { return h.Level >= b.Level }), b)
		case "table":
			s := tables.Source{Number: len(list) + 1, Caption: caption(blocks, i), Rows: b.Rows}
			if i > 0 && blocks[i-1].introduces() {
				s.Above = blocks[i-1].Text
			}
			for _, h := range headings {
				s.Sections = append(s.Sections, h.Text)
			}
			if n := len(s.Sections); n > 0 {
				s.Heading, s.Sections = s.Sections[n-1], s.Sections[:n-1]
			}
			for _, m := range b.Merged {
				s.Merges = append(s.Merges, tables.Merge{Row: m.Row - 1, Col: m.Column - 1, Rows: m.Rows, Cols: m.Columns})
			}
			list = append(list, s)
		}
	}
	return list
}

// introduces reports whether a block may say what is in the table below it: a short line, or one with a colon.
func (b block) introduces() bool {
	return b.Type == "paragraph" && !b.isCaption() && (utf8.RuneCountInString(b.Text) <= 80 || strings.HasSuffix(b.Text, ":") || strings.HasSuffix(b.Text, "："))
}

// captioned is how a caption begins: a word, a number, and what separates them from the rest.
var captioned = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*\p{Nd}{1,3}\s*[:.)：。–—-]`)

// isCaption goes by the style, or by how the text begins in a document without styles.
func (b block) isCaption() bool {
	return b.Type == "paragraph" && (strings.EqualFold(b.Style, "caption") || b.Style == "Table" || captioned.MatchString(b.Text))
}

// caption is that of a table: directly above it, or else below, if that is not the caption of the next table.
func caption(blocks []block, at int) string {
	if at > 0 && blocks[at-1].isCaption() {
		return strings.TrimSpace(blocks[at-1].Text)
	}
	if at+1 < len(blocks) && blocks[at+1].isCaption() && (at+2 == len(blocks) || blocks[at+2].Type != "table") {
		return strings.TrimSpace(blocks[at+1].Text)
	}
	return ""
}
