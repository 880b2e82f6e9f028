package linuxdesktop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// sheet is a table that cells are written into.
type sheet struct {
	*view
	table  atspi.Ref
	window x11.Window
	box    atspi.Ref // the field that has the name of the current cell
}

// writeCells is write_cells.
func (v *view) writeCells(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return desktop.Result{}, err
	}
	a := struct {
		ID          string  `json:"id"`
		Cell        string  `json:"cell"`
		NumbersFrom string  `json:"numbers_from"`
		Rows        [][]any `json:"rows"`
	}{Cell: "A1"}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber() // 2.50 and large numbers as they are
	if err := dec.Decode(&a); err != nil {
		return desktop.Result{}, err
	}
	row, column, err := parseCell(a.Cell)
	if err != nil {
		return desktop.Result{}, err
	}
	entries, err := entriesOf(a.Rows, row, column)
	if err != nil {
		return desktop.Result{}, err
	}
	if a.NumbersFrom != "" {
		row, column, err := parseCell(a.NumbersFrom)
		if err != nil {
			return desktop.Result{}, err
		}
		asNumbers(entries, row, column)
	}
	t, err := v.aim(ctx, a.ID, nil)
	if err != nil {
		return desktop.Result{}, err
	}
	if !tables[t.role] || t.rows*t.columns <= sheetCells {
		return desktop.Result{}, refuse("the control %s is no sheet of a spreadsheet", a.ID)
	}
	for _, e := range entries {
		if e.row >= t.rows || e.column >= t.columns {
			return desktop.Result{}, refuse("there is no cell %s", e.cell())
		}
	}
	s := &sheet{view: v, table: t.ref, window: t.window}
	res, err := v.act(ctx, t.window, func() (string, error) {
		err := s.write(ctx, entries)
		if ctx.Err() != nil || err != nil {
			return "", &halfDoneError{"some of the cells were written", err}
		}
		return fmt.Sprintf("%d cells were written, and read back", len(entries)), nil
	})
	if err == nil {
		res.Unverified = "" // they were read back
	}
	return res, err
}

// write writes entries: numbers by the program, in whatever language its numbers are, and texts by keys. A
// text that the program took for something else is typed again as it keeps texts, and last pasted.
func (s *sheet) write(ctx context.Context, entries []entry) error {
	if err := s.unlocked(ctx, s.window); err != nil {
		return err
	}
	var texts []entry
	for _, e := range entries {
		if e.number == nil {
			texts = append(texts, e)
		} else if err := s.setNumber(ctx, e); err != nil {
			return err
		}
	}
	wrong, err := s.differing(ctx, texts)
	if err == nil {
		wrong, err = s.clear(ctx, wrong)
	}
	for _, put := range []func(context.Context, []entry) error{s.typeTexts, s.paste, s.pasteOtherwise} {
		if err != nil {
			return err
		}
		if len(wrong) == 0 {
			break
		}
		if err := put(ctx, wrong); err != nil {
			return err
		}
		wrong, err = s.differing(ctx, wrong)
	}
	if err != nil {
		return err
	}
	wrong, err = s.differing(ctx, entries)
	if err != nil || len(wrong) == 0 {
		return err
	}
	return s.complain(ctx, wrong)
}

// complain says what cells hold instead of what was written.
func (s *sheet) complain(ctx context.Context, wrong []entry) error {
	var list []string
	for _, e := range wrong[:min(len(wrong), 5)] {
		is, err := s.holds(ctx, e)
		if err != nil {
			return err
		}
		list = append(list, e.cell()+" holds "+is)
	}
	return refuse("%d cells hold something else than what was written: %s. To keep a text such as =A1, format the cell as Text first",
		len(wrong), strings.Join(list, ", "))
}

func (s *sheet) setNumber(ctx context.Context, e entry) error {
	ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
	if err != nil {
		return err
	}
	if err := s.tree.SetValue(ctx, ref, *e.number); err != nil {
		return refuse("the cell %s takes no number: %w", e.cell(), err)
	}
	return nil
}

// typeTexts types texts in rows or columns of cells.
func (s *sheet) typeTexts(ctx context.Context, texts []entry) error {
	oneLine := slices.DeleteFunc(slices.Clone(texts), func(e entry) bool { return strings.Contains(e.text, "\n") })
	for _, run := range runs(oneLine) {
		if err := s.goTo(ctx, run.entries[0]); err != nil {
			return err
		}
		var strokes []x11.Stroke
		for _, e := range run.entries {
			// {DEL} takes away what the program has added because another cell of the column begins alike.
			strokes = slices.Concat(strokes, x11.Text(kept(e.text, true)), strokesOf("{DEL}"), run.next)
		}
		if err := s.typed(ctx, strokes, s.window); err != nil {
			return err
		}
		if err := s.behind(ctx, run); err != nil {
			return err
		}
	}
	return nil
}

// behind waits until the cell behind a run is the current one: a busy program takes its time with keys, and those that
// go to another field must not come in between.
func (s *sheet) behind(ctx context.Context, r run) error {
	row, column := r.behind()
	ref, err := s.tree.Cell(ctx, s.table, row, column)
	if err != nil {
		return err
	}
	_, err = until(ctx, keysTake, settlePause, func() (bool, error) {
		st, err := s.tree.States(ctx, ref)
		return err == nil && st.Has(atspi.Focused), stop(ctx, nil)
	})
	return err
}

// keysTake is how long a busy program may take for keys.
const keysTake = 10 * time.Second

// clear makes cells empty that are to be, and returns the others.
func (s *sheet) clear(ctx context.Context, texts []entry) (others []entry, err error) {
	for _, e := range texts {
		if e.text != "" {
			others = append(others, e)
			continue
		}
		if err := s.goTo(ctx, e); err != nil {
			return nil, err
		}
		if err := s.typed(ctx, strokesOf("{DEL}"), s.window); err != nil {
			return nil, err
		}
	}
	return others, nil
}

// paste puts texts into cells as they are. What is typed a program may correct: "1/2" to one character.
func (s *sheet) paste(ctx context.Context, texts []entry) error { return s.pasteAs(ctx, texts, true) }

// pasteOtherwise puts those that became something else into cells with an apostrophe, or without.
func (s *sheet) pasteOtherwise(ctx context.Context, texts []entry) error {
	return s.pasteAs(ctx, texts, false)
}

func (s *sheet) pasteAs(ctx context.Context, texts []entry, usual bool) error {
	for _, e := range texts {
		if strings.HasPrefix(e.text, "=") { // a formula: keys mean other cells in it
			continue
		}
		if err := s.goTo(ctx, e); err != nil {
			return err
		}
		if err := s.x.SetClipboard(ctx, kept(e.text, usual)); err != nil {
			return err
		}
		if err := s.typed(ctx, strokesOf("{DEL}{F2}^v"), s.window); err != nil {
			return err
		}
		// The program asks for the clipboard in its own time.
		if err := sleep(ctx, pasted); err != nil {
			return err
		}
		// The last word before the cursor is corrected, too.
		if err := s.typed(ctx, strokesOf("^{HOME}{ENTER}"), s.window); err != nil {
			return err
		}
	}
	return nil
}

const pasted = 200 * time.Millisecond

// strokesOf are keys that are written here.
func strokesOf(keys string) []x11.Stroke {
	strokes, err := x11.Keys(keys)
	if err != nil {
		panic(err) // a literal
	}
	return strokes
}

// goTo makes a cell the current one, through the field that has its name.
func (s *sheet) goTo(ctx context.Context, e entry) error {
	var last error
	for range 3 {
		if err := s.typed(ctx, strokesOf("{ESC}^+t"), s.window); err != nil {
			return err
		}
		moved, err := until(ctx, keysTake, settlePause, func() (bool, error) {
			return s.inBox(ctx), stop(ctx, nil)
		})
		if err != nil {
			return err
		}
		if !moved {
			last = refuse("the field with the name of the cell does not get the input focus: show the formula bar")
			continue
		}
		if err := s.typed(ctx, append(x11.Text(e.cell()), strokesOf("{ENTER}")...), s.window); err != nil {
			return err
		}
		ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
		if err != nil {
			return err
		}
		current, err := until(ctx, keysTake, settlePause, func() (bool, error) {
			st, err := s.tree.States(ctx, ref)
			if err != nil || !st.Has(atspi.Focused) {
				return false, nil //nolint:nilerr // it may be soon
			}
			n, err := s.tree.SelectedCount(ctx, s.table)
			return err == nil && n <= 1, nil
		})
		if current || err != nil {
			return err
		}
		last = refuse("the cell %s does not become the current one", e.cell())
	}
	return last
}

// inBox reports whether the field with the name of the current cell has the focus.
func (s *sheet) inBox(ctx context.Context) bool {
	focus, ok := s.tree.Focus(ctx, s.table.Bus)
	if !ok || !s.box.Null() {
		return ok && focus == s.box
	}
	text, err := s.tree.Text(ctx, focus, maxName)
	if err != nil || !cellForm.MatchString(text) {
		return false
	}
	if role, err := s.tree.Role(ctx, focus); err != nil || role != "text" && role != "entry" && role != "combo box" {
		return false
	}
	s.box = focus
	return true
}

// differing are the entries whose cells hold something else.
func (s *sheet) differing(ctx context.Context, entries []entry) (wrong []entry, err error) {
	same := make([]bool, len(entries))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for i, e := range entries {
		g.Go(func() (err error) {
			same[i], err = s.same(ctx, e)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, e := range entries {
		if !same[i] {
			wrong = append(wrong, e)
		}
	}
	return wrong, nil
}

// same reports whether a cell holds an entry: a number that number, and a text that text and no number.
func (s *sheet) same(ctx context.Context, e entry) (bool, error) {
	ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
	if err != nil {
		return false, err
	}
	value, err := s.tree.Value(ctx, ref)
	if err != nil {
		return false, err
	}
	text, err := s.tree.Text(ctx, ref, 0)
	if err != nil {
		return false, err
	}
	if e.number != nil {
		return value == *e.number && text != "", nil
	}
	a, err := s.tree.Attributes(ctx, ref)
	if err != nil {
		return false, err
	}
	return text == e.text && value == 0 && a["Formula"] == "", nil
}

// holds says what a cell holds.
func (s *sheet) holds(ctx context.Context, e entry) (string, error) {
	ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
	if err != nil {
		return "", err
	}
	text, err := s.tree.Text(ctx, ref, 0)
	if err != nil {
		return "", err
	}
	if value, err := s.tree.Value(ctx, ref); err == nil && value != 0 && e.number == nil {
		return "the number " + strconv.FormatFloat(value, 'g', -1, 64), nil
	}
	return quote(text), nil
}
