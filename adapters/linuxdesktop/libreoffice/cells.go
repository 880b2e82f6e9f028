package libreoffice

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/desktop"
)

// sheet is a table that cells are written into.
type sheet struct {
	screen.Screen
	screen.Target
}

// ownCell is a cell of a sheet that was written here.
type ownCell struct {
	sheet atspi.Ref
	cell  cell
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
	if err := cmd.Decode(&a); err != nil {
		return desktop.Result{}, err
	}
	first, err := parseCell(a.Cell)
	if err != nil {
		return desktop.Result{}, err
	}
	var numbers *cell
	if a.NumbersFrom != "" {
		from, err := parseCell(a.NumbersFrom)
		if err != nil {
			return desktop.Result{}, err
		}
		numbers = &from
	}
	target, err := s.Aim(ctx, a.ID, "")
	if err != nil {
		return desktop.Result{}, err
	}
	if !isSheet(target.Node) {
		return desktop.Result{}, fmt.Errorf("the control %s is no sheet of a spreadsheet", a.ID)
	}
	entries := entriesOf(a.Rows, first, numbers)
	for _, e := range entries {
		if e.number == nil && formula.MatchString(e.text) {
			return desktop.Result{}, fmt.Errorf("%s would become a formula: %s", e, quote(e.text))
		}
		if e.row >= target.Rows || e.column >= target.Columns {
			return desktop.Result{}, fmt.Errorf("there is no cell %s", e)
		}
	}
	t := &sheet{s, target}
	res, err := s.Act(ctx, t.Window, func() (string, error) {
		if !a.Replace {
			if err := o.free(ctx, t, entries); err != nil {
				return "", err
			}
		}
		if err := t.goTo(ctx, first); err != nil {
			return "", err
		}
		o.mu.Lock()
		for _, e := range entries {
			o.own[ownCell{t.Ref, e.cell}] = true
		}
		o.mu.Unlock()
		err := t.paste(ctx, sylk(entries, first))
		if err == nil {
			err = t.verify(ctx, entries)
		}
		if err != nil {
			return "", &screen.HalfDoneError{What: "some of the cells were written", Err: err}
		}
		return fmt.Sprintf("%d cells were written, and read back", len(entries)), nil
	})
	res.Unverified = ""
	return res, err
}

// free refuses cells that hold something else, unless this extension has written it.
func (o *office) free(ctx context.Context, s *sheet, entries []entry) error {
	is, err := s.held(ctx, entries)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var taken []entry
	for i, e := range entries {
		if !is[i].empty() && !is[i].same(e) && !o.own[ownCell{s.Ref, e.cell}] {
			taken = append(taken, e)
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("%d cells are not empty, such as %s: write elsewhere, or say replace", len(taken), taken[0])
	}
	return nil
}

// keysTake is how long a busy program may take for keys.
const keysTake = 10 * time.Second

// goTo makes a cell the current one, and the only one that is selected.
func (s *sheet) goTo(ctx context.Context, c cell) error {
	if err := s.Type(ctx, "{ESC}", s.Window); err != nil { // leaves a cell that is being edited
		return err
	}
	ref, err := s.Tree().Cell(ctx, s.Ref, c.row, c.column)
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
		err = fmt.Errorf("the cell %s does not become the current one", c)
	}
	return err
}

// paste pastes what has the Symbolic Link format.
func (s *sheet) paste(ctx context.Context, data []byte) error {
	if err := s.Display().SetClipboard(ctx, `application/x-openoffice-sylk;windows_formatname="Sylk"`, data); err != nil {
		return err
	}
	if err := s.Type(ctx, "^v", s.Window); err != nil {
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
		is, err := s.held(ctx, entries)
		if err != nil {
			return false, err
		}
		wrong = nil
		for i, e := range entries {
			if !is[i].same(e) {
				wrong = append(wrong, e.String()+" holds "+is[i].String())
			}
		}
		return len(wrong) == 0, nil
	})
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%d cells hold something else than what was written: %s", len(wrong), strings.Join(wrong[:min(len(wrong), 5)], ", "))
	}
	return err
}

// held is what a cell holds.
type held struct {
	text    string
	number  float64 // 0 also of a text
	formula string
}

// held reads what the cells of entries hold.
func (s *sheet) held(ctx context.Context, entries []entry) ([]held, error) {
	list := make([]held, len(entries))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atspi.InFlight)
	for i, e := range entries {
		g.Go(func() error {
			ref, err := s.Tree().Cell(ctx, s.Ref, e.row, e.column)
			if err != nil {
				return err
			}
			h := &list[i]
			if h.number, err = s.Tree().Value(ctx, ref); err != nil {
				return err
			}
			if h.text, err = s.Tree().Text(ctx, ref, 0); err != nil {
				return err
			}
			a, err := s.Tree().Attributes(ctx, ref)
			h.formula = a["Formula"]
			return err
		})
	}
	return list, g.Wait()
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
