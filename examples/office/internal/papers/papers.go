package papers

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/table"
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

var errNoDocument = errors.New("papers: the window shows no document")

// Tables reads the tables of the document in the window that a Desktop is narrowed to, with their headings and
// captions.
func Tables(ctx context.Context, d desktop.Desktop) ([]table.Source, error) {
	var tree []desktop.Control
	if err := do(ctx, d, desktop.GetUITree, map[string]any{}, &tree); err != nil {
		return nil, err
	}
	document := Find(tree, func(c desktop.Control) bool { return c.Type == "document text" })
	if document == nil {
		return nil, errNoDocument
	}
	var blocks []block
	if err := do(ctx, d, "read_document", map[string]any{"id": document.ID}, &blocks); err != nil {
		return nil, err
	}
	return sources(blocks), nil
}

// do runs a command past the interceptors of a run: what a tool does inside is not an act of the agent.
func do(ctx context.Context, d desktop.Desktop, tool string, parameters map[string]any, into any) error {
	res, err := d.Execute(ctx, desktop.Command{ToolName: tool, Parameters: parameters})
	switch {
	case err != nil:
		return fmt.Errorf("papers: %w", err)
	case res.Status != desktop.Success:
		return fmt.Errorf("papers: %s: %s", tool, res.Error)
	}
	if err := res.Decode(into); err != nil {
		return fmt.Errorf("papers: %s: %w", tool, err)
	}
	return nil
}

// Find returns the first control that is one, of any depth; nil: there is none.
func Find(list []desktop.Control, is func(desktop.Control) bool) *desktop.Control {
	for i := range list {
		if is(list[i]) {
			return &list[i]
		}
		if c := Find(list[i].Children, is); c != nil {
			return c
		}
	}
	return nil
}

// sources are the tables among blocks.
func sources(blocks []block) []table.Source {
	var list []table.Source
	var headings []block // the last one, and those that it is under
	for i, b := range blocks {
		switch b.Type {
		case "heading":
			headings = slices.DeleteFunc(headings, func(h block) bool { return h.Level >= b.Level })
			headings = append(headings, b)
		case "table":
			s := table.Source{Number: len(list) + 1, Caption: caption(blocks, i), Rows: b.Rows}
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
				s.Merges = append(s.Merges, table.Merge{Row: m.Row - 1, Col: m.Column - 1, Rows: m.Rows, Cols: m.Columns})
			}
			list = append(list, s)
		}
	}
	return list
}

// maxLine is how long a line may be that introduces a table without a colon.
const maxLine = 80

// introduces reports whether a block may say what is in the table below it.
func (b block) introduces() bool {
	return b.Type == "paragraph" && !b.isCaption() && (utf8.RuneCountInString(b.Text) <= maxLine || strings.HasSuffix(b.Text, ":") || strings.HasSuffix(b.Text, "："))
}

// captioned is how a caption begins: a word, a number, and what separates them from the rest.
var captioned = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*\p{Nd}{1,3}\s*[:.)：。–—-]`)

// isCaption reports whether a block is one, by its style or, in a document without styles, by how it begins.
func (b block) isCaption() bool {
	return b.Type == "paragraph" && (strings.EqualFold(b.Style, "caption") || b.Style == "Table" || captioned.MatchString(b.Text))
}

// caption is that of a table: directly above it, or else below.
func caption(blocks []block, at int) string {
	for _, i := range []int{at - 1, at + 1} {
		if i >= 0 && i < len(blocks) && blocks[i].isCaption() {
			// Below may be the caption of the next table.
			if i > at && i+1 < len(blocks) && blocks[i+1].Type == "table" {
				continue
			}
			return strings.TrimSpace(blocks[i].Text)
		}
	}
	return ""
}
