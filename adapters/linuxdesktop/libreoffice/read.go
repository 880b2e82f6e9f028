package libreoffice

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
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
	n, w, err := s.Find(ctx, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if n.Role != "document text" {
		return desktop.Result{}, fmt.Errorf("the control %s is no text document", a.ID)
	}
	list, err := blocksOf(ctx, s, n.Ref, w)
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
	// Where the cursor is in a table, ^a selects the cell, then the table, then the document.
	keys, err := x11.Keys("{ESC}^a^a^a^c")
	if err != nil {
		return nil, err
	}
	_, err = s.Act(ctx, w, func() (_ string, err error) {
		if err := s.Unlocked(ctx, w); err != nil {
			return "", err
		}
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
		if err := s.Type(ctx, keys, w); err != nil {
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
	area, _, err := s.Tree().Extents(ctx, document)
	if err != nil {
		return image.Point{}, err
	}
	refs, err := s.Tree().Children(ctx, document)
	if err != nil {
		return image.Point{}, err
	}
	for _, ref := range refs {
		role, err := s.Tree().Role(ctx, ref)
		if err != nil || role != "paragraph" && role != "heading" && role != "table" {
			continue
		}
		b, ok, err := s.Tree().Extents(ctx, ref)
		if b = b.Intersect(area); err == nil && ok && b.Dx() > 20 && b.Dy() > 8 {
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
	n, w, err := s.Find(ctx, a.ID)
	if err != nil {
		return res, true, err
	}
	first, most := max(a.FirstRow, 1)-1, maxRows
	if a.Rows > 0 {
		most = min(a.Rows, maxRows)
	}
	if isSheet(n) {
		res, err := readSheet(ctx, s, n, first, most)
		return res, true, err
	}
	if !atspi.Tables[n.Role] || !strings.HasPrefix(w.Program(), "libreoffice") {
		return res, false, nil
	}
	tree, err := s.Controls(ctx, w)
	if err != nil {
		return res, true, err
	}
	document := tree.First("document text")
	if document == nil || !document.Holds(n.Ref) {
		return res, false, nil
	}
	rows, err := tableNamed(ctx, s, document.Ref, w, atspi.OneLine(n.Name))
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

// readSheet reads a sheet up to where it is empty, and says what of it is hidden. A row that reaches further than those above it
// has them read that far, too.
func readSheet(ctx context.Context, s screen.Screen, t *atspi.Node, first, most int) (desktop.Result, error) {
	rows, width, last := [][]string{}, 0, 0 // last: rows up to the last that has something in it
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
	rows = rows[:last]
	for i, row := range rows {
		row, err := sheetRow(ctx, s, t, first+i, row, width)
		if err != nil {
			return desktop.Result{}, err
		}
		rows[i] = row[:min(width, len(row))]
	}
	hidden, err := hiddenIn(ctx, s, t.Ref, first, rows)
	if err != nil {
		return desktop.Result{}, err
	}
	res, err := desktop.JSONResult(rows)
	if err == nil && hidden != "" {
		res.Content = append(res.Content, desktop.Content{Text: hidden})
	}
	return res, err
}

// sheetRow reads on in a row of a sheet, at least up to a width, until there is nothing more.
func sheetRow(ctx context.Context, s screen.Screen, t *atspi.Node, r int, row []string, width int) ([]string, error) {
	for {
		n := min(max(width, filled(row)+gap), maxColumns, t.Columns) - len(row)
		if n <= 0 {
			return row, nil
		}
		texts := make([]string, n)
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(atspi.InFlight)
		for c := range texts {
			g.Go(func() error {
				ref, err := s.Tree().Cell(ctx, t.Ref, r, len(row)+c)
				if err != nil {
					return err
				}
				text, err := s.Tree().Shown(ctx, ref, 0)
				texts[c] = atspi.OneLine(text)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		row = append(row, texts...)
	}
}

// filled is how many cells there are up to the last that is not empty.
func filled(row []string) int {
	for n := len(row); n > 0; n-- {
		if row[n-1] != "" {
			return n
		}
	}
	return 0
}

// hiddenIn says which rows and columns of a sheet a person does not see; "": none. In the row and in the column of a cell that is
// visible, the others tell what is hidden.
func hiddenIn(ctx context.Context, s screen.Screen, sheet atspi.Ref, first int, rows [][]string) (string, error) {
	if len(rows) == 0 {
		return "", nil
	}
	var list []string
	for i := range len(rows) * len(rows[0]) {
		row, column := first+i/len(rows[0]), i%len(rows[0])
		ok, err := visible(ctx, s, sheet, row, column)
		if err != nil {
			return "", err
		}
		if !ok {
			continue
		}
		for r := range rows {
			if ok, err = visible(ctx, s, sheet, first+r, column); err != nil {
				return "", err
			} else if !ok {
				list = append(list, "row "+strconv.Itoa(first+r+1))
			}
		}
		for c := range rows[0] {
			if ok, err = visible(ctx, s, sheet, row, c); err != nil {
				return "", err
			} else if !ok {
				list = append(list, "column "+columnName(c))
			}
		}
		if list == nil {
			return "", nil
		}
		return "a person does not see what is hidden: " + strings.Join(list, ", "), nil
	}
	return "a person sees none of these cells: their rows or columns are hidden", nil
}

// visible reports whether a cell is neither in a hidden row nor in a hidden column.
func visible(ctx context.Context, s screen.Screen, sheet atspi.Ref, row, column int) (bool, error) {
	ref, err := s.Tree().Cell(ctx, sheet, row, column)
	if err != nil {
		return false, err
	}
	st, err := s.Tree().States(ctx, ref)
	return st.Has(atspi.Visible), err
}
