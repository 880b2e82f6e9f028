package linuxdesktop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// sheet is a table that cells are written into.
type sheet struct {
	*view
	table  atspi.Ref
	window x11.Window

	rows, columns int
	box           atspi.Ref // the field that has the name of the current cell
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
		Replace     bool    `json:"replace"`
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
		if e.number == nil && formula.MatchString(e.text) {
			return desktop.Result{}, refuse("%s would become a formula: %s", e.cell(), quote(e.text))
		}
		if e.row >= t.rows || e.column >= t.columns {
			return desktop.Result{}, refuse("there is no cell %s", e.cell())
		}
	}
	s := &sheet{view: v, table: t.ref, window: t.window, rows: t.rows, columns: t.columns}
	res, err := v.act(ctx, t.window, func() (string, error) {
		if err := s.unlocked(ctx, s.window); err != nil {
			return "", err
		}
		if !a.Replace {
			if err := s.free(ctx, entries); err != nil {
				return "", err
			}
		}
		v.wrote(t.ref, entries)
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
	var texts []entry
	for _, e := range entries {
		if e.number == nil {
			texts = append(texts, e)
		} else if err := s.setNumber(ctx, e); err != nil {
			return err
		}
	}
	wrong, err := s.differing(ctx, texts)
	for _, e := range texts {
		if unclear(e.text) && !slices.Contains(wrong, e) {
			wrong = append(wrong, e)
		}
	}
	if err == nil {
		wrong, err = s.clear(ctx, wrong)
	}
	for _, put := range []func(context.Context, []entry) error{s.typeTexts, s.paste, s.pasteWhole, s.pasteOtherwise} {
		if err != nil {
			return err
		}
		if len(wrong) == 0 {
			break
		}
		if err := put(ctx, wrong); err != nil {
			return err
		}
		wrong, err = s.settled(ctx, wrong)
	}
	if err != nil {
		return err
	}
	wrong, err = s.settled(ctx, entries)
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
	return refuse("%d cells hold something else than what was written: %s", len(wrong), strings.Join(list, ", "))
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

// typeTexts types texts in rows or columns of cells. Long ones, and those with lines, are pasted.
func (s *sheet) typeTexts(ctx context.Context, texts []entry) error {
	short := slices.DeleteFunc(slices.Clone(texts), func(e entry) bool { return len(e.text) > maxTyped || strings.Contains(e.text, "\n") })
	for _, r := range runs(short) {
		for len(r.entries) > 0 {
			if err := s.goTo(ctx, r.entries[0]); err != nil {
				return err
			}
			n, err := s.typeRun(ctx, r)
			if err != nil {
				return err
			}
			r.entries = r.entries[n:]
		}
	}
	return nil
}

// typeRun types into cells one after the other, and returns how many: it stops where the key has led on to another cell than
// the next, over one that is hidden or locked.
func (s *sheet) typeRun(ctx context.Context, r run) (n int, err error) {
	var strokes []x11.Stroke
	begins := map[int]entry{}
	for _, e := range r.entries {
		begins[len(strokes)] = e
		// {DEL} takes away what the program has added because another cell of the column begins alike.
		strokes = slices.Concat(strokes, x11.Text(kept(e.text, true)), strokesOf("{DEL}"), r.next)
	}
	err = s.typedWhile(ctx, strokes, s.window, func(key int) error {
		e, ok := begins[key]
		if !ok {
			return nil
		}
		if key > 0 && !s.awaitCell(ctx, e.row, e.column, nextTakes) {
			return cmp.Or(context.Cause(ctx), errOver)
		}
		n++
		return nil
	})
	if errors.Is(err, errOver) {
		return n, nil
	}
	if row, column := r.behind(); err == nil && row < s.rows && column < s.columns {
		s.awaitCell(ctx, row, column, nextTakes) // or one further on
	}
	return n, err
}

// errOver says that a key has led on over a cell.
var errOver = errors.New("the next cell does not become the current one")

// maxTyped is how many bytes of a text are typed: a program takes longer for keys than it takes to press them.
const maxTyped = 300

// nextTakes is how long a program takes to go on to the next cell.
const nextTakes = 2 * time.Second

// awaitCell waits until a cell is the current one. Keys that go to another field must not come before that.
func (s *sheet) awaitCell(ctx context.Context, row, column int, limit time.Duration) bool {
	ref, err := s.tree.Cell(ctx, s.table, row, column)
	if err != nil {
		return false
	}
	is, err := until(ctx, limit, cellPause, func() (bool, error) {
		st, err := s.tree.States(ctx, ref)
		return err == nil && st.Has(atspi.Focused), stop(ctx, nil)
	})
	return is && err == nil
}

// cellPause is how long to wait before looking again where the cursor of a sheet is.
const cellPause = 5 * time.Millisecond

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
func (s *sheet) paste(ctx context.Context, texts []entry) error {
	return s.pasteEach(ctx, texts, func(e entry) (string, string) { return kept(e.text, true), editing })
}

// pasteWhole puts words into cells that nobody edits: there nothing is corrected.
func (s *sheet) pasteWhole(ctx context.Context, texts []entry) error {
	return s.pasteEach(ctx, texts, func(e entry) (string, string) {
		if kept(e.text, true) != e.text || strings.Contains(e.text, "\n") {
			return "", ""
		}
		return e.text, "{DEL}^v"
	})
}

// pasteOtherwise puts those that became something else into cells with an apostrophe, or without.
func (s *sheet) pasteOtherwise(ctx context.Context, texts []entry) error {
	return s.pasteEach(ctx, texts, func(e entry) (string, string) { return kept(e.text, false), editing })
}

// editing are the keys that paste into a cell that is edited. The last word before the cursor would be corrected.
const editing = "{DEL}{F2}^v"

// pasteEach puts texts into cells: how says what is pasted, and by which keys; "": nothing.
func (s *sheet) pasteEach(ctx context.Context, texts []entry, how func(entry) (text, keys string)) error {
	for _, e := range texts {
		text, keys := how(e)
		if text == "" {
			continue
		}
		if err := s.x.SetClipboard(ctx, text); err != nil { // the program learns of it meanwhile
			return err
		}
		if err := s.goTo(ctx, e); err != nil {
			return err
		}
		if err := s.typed(ctx, strokesOf(keys), s.window); err != nil {
			return err
		}
		taken, err := s.x.ClipboardTaken(ctx, pasteTakes)
		if err == nil {
			err = sleep(ctx, pasted)
		}
		if err != nil {
			return err
		}
		if !taken { // it has pasted nothing, or what was there before
			if err := s.typed(ctx, strokesOf("{ESC}"), s.window); err != nil {
				return err
			}
			continue
		}
		if keys != editing {
			continue
		}
		if err := s.typed(ctx, strokesOf("^{HOME}{ENTER}"), s.window); err != nil {
			return err
		}
		if e.row+1 < s.rows { // what was written is in the cell once the next one is the current one
			s.awaitCell(ctx, e.row+1, e.column, nextTakes)
		}
	}
	return nil
}

const (
	pasteTakes = 3 * time.Second        // within which a program asks for what is pasted
	pasted     = 100 * time.Millisecond // after which it has it
)

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
