package libreoffice

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// maxBlocks is how many one read_document returns.
const maxBlocks = 2000

// read is read_document.
func read(ctx context.Context, s screen.Screen, cmd desktop.Command) (desktop.Result, error) {
	var a struct {
		ID     string `json:"id"`
		First  int    `json:"first"`
		Blocks int    `json:"blocks"`
	}
	if err := cmd.Decode(&a); err != nil {
		return desktop.Result{}, err
	}
	t, err := s.Find(ctx, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if t.Role != "document text" {
		return desktop.Result{}, fmt.Errorf("the control %s is no text document", a.ID)
	}
	list, err := blocksOf(ctx, s, t.Ref, t.Window)
	if err != nil {
		return desktop.Result{}, err
	}
	list = list[min(max(a.First-1, 0), len(list)):]
	if a.Blocks > 0 {
		list = list[:min(a.Blocks, len(list))]
	}
	if len(list) > maxBlocks {
		return desktop.Result{}, fmt.Errorf("the document has more than %d headings, paragraphs and tables: say how many blocks to return", maxBlocks)
	}
	return desktop.JSONResult(append([]block{}, list...))
}

// blocksOf copies a document and reads the copy.
func blocksOf(ctx context.Context, s screen.Screen, document atspi.Ref, w x11.Window) (list []block, err error) {
	const kind = `application/x-openoffice-embed-source-xml;windows_formatname="Star Embed Source (XML)"`
	_, err = s.Act(ctx, w, func() (_ string, err error) {
		at, err := inText(ctx, s, document)
		if err != nil {
			return "", err
		}
		click := func(at image.Point) error {
			if err := s.Uncovered(ctx, at, w); err != nil {
				return err
			}
			return s.Display().Click(ctx, at, x11.Left, 1)
		}
		if err := click(at); err != nil {
			return "", err
		}
		if err := s.Display().SetClipboard(ctx, "text/plain", nil); err != nil { // so that a copy is another
			return "", err
		}
		defer func() {
			if e := click(at.Add(image.Pt(12, 0))); err == nil { // else the next key replaces all; too far away for a double click
				err = e
			}
		}()
		// Where the cursor is in a table, ^a selects the cell, then the table, then the document.
		if err := s.Type(ctx, "{ESC}^a^a^a^c", w); err != nil {
			return "", err
		}
		copied, err := s.Display().Copied(ctx, kind, keysTake)
		if err != nil {
			return "", err
		}
		list, err = parse(copied)
		return "read", err
	})
	return list, err
}

// inText returns a point of the document at which a click puts the cursor into its text.
func inText(ctx context.Context, s screen.Screen, document atspi.Ref) (image.Point, error) {
	n, _, err := s.Tree().Read(ctx, document)
	if err != nil {
		return image.Point{}, err
	}
	for _, c := range n.Children {
		b := c.Bounds.Intersect(n.Bounds)
		if (c.Role == "paragraph" || c.Role == "heading" || c.Role == "table") && b.Dx() > 20 && b.Dy() > 8 {
			return image.Pt(b.Min.X+2, b.Min.Y+b.Dy()/2), nil
		}
	}
	return image.Point{}, errors.New("nothing of the document is in view")
}

func isSheet(n *atspi.Node) bool {
	const cells = 100_000 // a table with more is a sheet
	return atspi.Tables[n.Role] && n.Rows*n.Columns > cells
}

// partName is the name of a table with the number of a page: a table over several pages is one in the tree for each.
var partName = regexp.MustCompile(`^(.*)-[1-9][0-9]*$`)

// readTable is read_table, of sheets and of tables in documents.
func readTable(ctx context.Context, s screen.Screen, cmd desktop.Command) (res desktop.Result, done bool, err error) {
	var a struct {
		ID       string `json:"id"`
		FirstRow int    `json:"first_row"`
		Rows     int    `json:"rows"`
	}
	if err := cmd.Decode(&a); err != nil {
		return res, true, err
	}
	t, err := s.Find(ctx, a.ID)
	if err != nil {
		return res, true, err
	}
	first, most := max(a.FirstRow, 1)-1, maxRows
	if a.Rows > 0 {
		most = min(a.Rows, maxRows)
	}
	if isSheet(t.Node) {
		res, err := readSheet(ctx, s, t.Node, first, most)
		return res, true, err
	}
	if !atspi.Tables[t.Role] || !strings.HasPrefix(t.Window.Program(), "libreoffice") {
		return res, false, nil
	}
	tree, _, err := s.Controls(ctx, t.Window)
	if err != nil {
		return res, true, err
	}
	document := tree.First("document text")
	if document == nil || !document.Holds(t.Ref) {
		return res, false, nil
	}
	rows, err := tableNamed(ctx, s, document.Ref, t.Window, atspi.OneLine(t.Name))
	if err != nil {
		return res, true, err
	}
	rows = rows[min(first, len(rows)):]
	if a.Rows == 0 && len(rows) > maxRows {
		return res, true, fmt.Errorf("the table has %d rows, and read_table reads at most %d at once", len(rows), maxRows)
	}
	res, err = desktop.JSONResult(append([][]string{}, rows[:min(len(rows), most)]...))
	return res, true, err
}

// tableNamed reads the table of a document that the tree calls so.
func tableNamed(ctx context.Context, s screen.Screen, document atspi.Ref, w x11.Window, name string) ([][]string, error) {
	list, err := blocksOf(ctx, s, document, w)
	if err != nil {
		return nil, err
	}
	m := partName.FindStringSubmatch(name)
	for _, b := range list {
		if b.Type == "table" && (b.Name == name || m != nil && b.Name == m[1]) {
			return b.Rows, nil
		}
	}
	return nil, fmt.Errorf("the table %q cannot be read: it is in a frame, or has tables in its cells", screen.Clip(name, screen.MaxName))
}

const gap = 3 // rows, or columns in a row, that are empty: nothing is behind them

// sheetCell is a cell of a sheet as it shows.
type sheetCell struct {
	text    string
	visible bool // neither its row nor its column is hidden
}

// readSheet reads a sheet up to where it is empty, and says what of it is hidden. A row that reaches further than those above it
// has them read that far, too.
func readSheet(ctx context.Context, s screen.Screen, t *atspi.Node, first, most int) (desktop.Result, error) {
	var rows [][]sheetCell
	width, last := 0, 0 // last: rows up to the last that has something in it
	for r := first; r < min(t.Rows, first+most) && len(rows)-last < gap; r++ {
		row, err := sheetRow(ctx, s, t, r, nil, width)
		if err != nil {
			return desktop.Result{}, err
		}
		rows = append(rows, row)
		if n := filled(row); n > 0 {
			width, last = max(width, n), len(rows)
		}
	}
	texts := make([][]string, last)
	for i, row := range rows[:last] {
		row, err := sheetRow(ctx, s, t, first+i, row, width)
		if err != nil {
			return desktop.Result{}, err
		}
		rows[i] = row[:min(width, len(row))]
		for _, c := range rows[i] {
			texts[i] = append(texts[i], c.text)
		}
	}
	res, err := desktop.JSONResult(texts)
	if hidden := hiddenIn(first, rows[:last], width); err == nil && hidden != "" {
		res.Content = append(res.Content, desktop.Content{Text: hidden})
	}
	return res, err
}

// sheetRow reads on in a row of a sheet, at least up to a width, until there is nothing more.
func sheetRow(ctx context.Context, s screen.Screen, t *atspi.Node, r int, row []sheetCell, width int) ([]sheetCell, error) {
	for {
		n := min(max(width, filled(row)+gap), maxColumns, t.Columns) - len(row)
		if n <= 0 {
			return row, nil
		}
		more := make([]sheetCell, n)
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(atspi.InFlight)
		for c := range more {
			g.Go(func() error {
				ref, err := s.Tree().Cell(ctx, t.Ref, r, len(row)+c)
				if err != nil {
					return err
				}
				states, err := s.Tree().States(ctx, ref)
				if err != nil {
					return err
				}
				text, err := s.Tree().Shown(ctx, ref, 0)
				more[c] = sheetCell{atspi.OneLine(text), states.Has(atspi.Visible)}
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		row = append(row, more...)
	}
}

// filled is how many cells there are up to the last that is not empty.
func filled(row []sheetCell) int {
	for n := len(row); n > 0; n-- {
		if row[n-1].text != "" {
			return n
		}
	}
	return 0
}

// hiddenIn says which rows and columns a person does not see; "": none.
func hiddenIn(first int, rows [][]sheetCell, width int) string {
	var list []string
	shown := make([]bool, width) // columns
	for r, row := range rows {
		if !slices.ContainsFunc(row, func(c sheetCell) bool { return c.visible }) {
			list = append(list, "row "+strconv.Itoa(first+r+1))
		}
		for c, cell := range row {
			shown[c] = shown[c] || cell.visible
		}
	}
	if len(rows) > 0 && len(list) == len(rows) {
		return "a person sees none of these cells: their rows or columns are hidden"
	}
	for c, ok := range shown {
		if !ok {
			list = append(list, "column "+columnName(c))
		}
	}
	if list == nil {
		return ""
	}
	return "a person does not see what is hidden: " + strings.Join(list, ", ")
}
