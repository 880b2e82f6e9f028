package libreoffice

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// sheet is a table that cells are written into.
type sheet struct {
	screen.Screen
	*atspi.Node
	window x11.Window
}

// cellPlace is a cell of a sheet.
type cellPlace struct {
	sheet       atspi.Ref
	row, column int
}

// write is write_cells.
func (o *office) write(ctx context.Context, s screen.Screen, cmd desktop.Command) (desktop.Result, error) {
	a := struct {
		ID          string  `json:"id"`
		Cell        string  `json:"cell"`
		NumbersFrom string  `json:"numbers_from"`
		Rows        [][]any `json:"rows"`
		Replace     bool    `json:"replace"`
	}{Cell: "A1"}
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return desktop.Result{}, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
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
	n, w, err := s.Aim(ctx, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if !isSheet(n) {
		return desktop.Result{}, fmt.Errorf("the control %s is no sheet of a spreadsheet", a.ID)
	}
	for _, e := range entries {
		if e.number == nil && formula.MatchString(e.text) {
			return desktop.Result{}, fmt.Errorf("%s would become a formula: %s", e.cell(), quote(e.text))
		}
		if e.row >= n.Rows || e.column >= n.Columns {
			return desktop.Result{}, fmt.Errorf("there is no cell %s", e.cell())
		}
	}
	t := &sheet{s, n, w}
	res, err := s.Act(ctx, w, func() (string, error) {
		if err := s.Unlocked(ctx, w); err != nil {
			return "", err
		}
		if !a.Replace {
			if err := o.free(ctx, t, entries); err != nil {
				return "", err
			}
		}
		if err := t.goTo(ctx, row, column); err != nil {
			return "", err
		}
		o.wrote(t, entries)
		if err := t.paste(ctx, sylk(entries, row, column)); err != nil {
			return "", &screen.HalfDoneError{What: "some of the cells were written", Err: err}
		}
		if err := t.verify(ctx, entries); err != nil {
			return "", &screen.HalfDoneError{What: "some of the cells were written", Err: err}
		}
		return fmt.Sprintf("%d cells were written, and read back", len(entries)), nil
	})
	if err == nil {
		res.Unverified = ""
	}
	return res, err
}

// free refuses cells that hold something else, unless this extension has written it.
func (o *office) free(ctx context.Context, s *sheet, entries []entry) error {
	var taken []entry
	for _, e := range entries {
		is, err := s.held(ctx, e)
		if err != nil {
			return err
		}
		o.mu.Lock()
		own := o.own[cellPlace{s.Ref, e.row, e.column}]
		o.mu.Unlock()
		if !is.empty() && !own && !is.same(e) {
			taken = append(taken, e)
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("%d cells are not empty, such as %s: write elsewhere, or say replace", len(taken), taken[0].cell())
	}
	return nil
}

// wrote keeps which cells were written here.
func (o *office) wrote(s *sheet, entries []entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range entries {
		o.own[cellPlace{s.Ref, e.row, e.column}] = true
	}
}

// keysTake is how long a busy program may take for keys.
const keysTake = 10 * time.Second

// goTo makes a cell the current one, and the only one that is selected.
func (s *sheet) goTo(ctx context.Context, row, column int) error {
	keys, err := x11.Keys("{ESC}") // leaves a cell that is being edited
	if err != nil {
		return err
	}
	if err := s.Type(ctx, keys, s.window); err != nil {
		return err
	}
	ref, err := s.Tree().Cell(ctx, s.Ref, row, column)
	if err != nil {
		return err
	}
	if _, err := s.Tree().GrabFocus(ctx, ref); err != nil {
		return err
	}
	current, err := wait.Until(ctx, keysTake, screen.Pause, func() (bool, error) {
		st, err := s.Tree().States(ctx, ref)
		if err != nil || !st.Has(atspi.Focused) {
			return false, nil //nolint:nilerr // it may be soon
		}
		n, err := s.Tree().SelectedCount(ctx, s.Ref)
		return err == nil && n <= 1, nil
	})
	if err == nil && !current {
		err = fmt.Errorf("the cell %s does not become the current one", entry{row: row, column: column}.cell())
	}
	return err
}

// paste pastes what has the Symbolic Link format.
func (s *sheet) paste(ctx context.Context, data []byte) error {
	if err := s.Display().SetClipboard(ctx, `application/x-openoffice-sylk;windows_formatname="Sylk"`, data); err != nil {
		return err
	}
	keys, err := x11.Keys("^v")
	if err != nil {
		return err
	}
	if err := s.Type(ctx, keys, s.window); err != nil {
		return err
	}
	taken, err := s.Display().ClipboardTaken(ctx, keysTake)
	if err == nil && !taken {
		err = fmt.Errorf("the program does not paste")
	}
	return err
}

// verify compares the cells with the entries that were written. It waits for a busy program.
func (s *sheet) verify(ctx context.Context, entries []entry) error {
	var wrong []string
	_, err := wait.Until(ctx, keysTake, 100*time.Millisecond, func() (bool, error) {
		is := make([]held, len(entries))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(atspi.InFlight)
		for i, e := range entries {
			g.Go(func() (err error) {
				is[i], err = s.held(ctx, e)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return false, err
		}
		wrong = nil
		for i, e := range entries {
			if !is[i].same(e) {
				wrong = append(wrong, e.cell()+" holds "+is[i].String())
			}
		}
		return len(wrong) == 0, nil
	})
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%d cells hold something else than what was written: %s", len(wrong), strings.Join(slices.Clone(wrong[:min(len(wrong), 5)]), ", "))
	}
	return err
}

// held is what a cell holds.
type held struct {
	text    string
	number  float64 // 0 also of a text
	formula string
}

func (s *sheet) held(ctx context.Context, e entry) (h held, err error) {
	ref, err := s.Tree().Cell(ctx, s.Ref, e.row, e.column)
	if err != nil {
		return h, err
	}
	if h.number, err = s.Tree().Value(ctx, ref); err != nil {
		return h, err
	}
	if h.text, err = s.Tree().Text(ctx, ref, 0); err != nil {
		return h, err
	}
	a, err := s.Tree().Attributes(ctx, ref)
	h.formula = a["Formula"]
	return h, err
}

func (h held) empty() bool { return h.text == "" && h.formula == "" }

// same reports whether a cell holds an entry: a number that number, and a text that text and no number.
func (h held) same(e entry) bool {
	if e.number != nil {
		return h.number == *e.number && h.text != ""
	}
	return h.text == e.text && h.number == 0 && h.formula == ""
}

func (h held) String() string {
	if h.number != 0 {
		return "the number " + strconv.FormatFloat(h.number, 'g', -1, 64)
	}
	return quote(h.text)
}
