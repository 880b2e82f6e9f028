package task

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/round"
)

// Expect is one thing that must hold at the end. It names one of a file, a folder, a file that is absent, a PDF and what the
// page was sent. Of a file it says one of the text, parts of it, a heading and a cell.
type Expect struct {
	File     string   `json:"file,omitempty"`
	Text     *string  `json:"text,omitempty"`     // all of the file, but for a line break at its end
	Contains []string `json:"contains,omitempty"` // of the file, or of the text of the PDF
	Lacks    []string `json:"lacks,omitempty"`
	Centred  string   `json:"centred,omitempty"` // a heading of a flat OpenDocument text
	Cell     string   `json:"cell,omitempty"`    // of the first sheet of a flat OpenDocument spreadsheet
	Value    string   `json:"value,omitempty"`   // what the cell shows
	Formula  string   `json:"formula,omitempty"` // a part of its formula

	Folder string            `json:"folder,omitempty"` // there is one
	Absent string            `json:"absent,omitempty"` // there is no such file
	PDF    string            `json:"pdf,omitempty"`    // there is one, with Contains
	Sent   map[string]string `json:"sent,omitempty"`   // the form was sent once, with these fields
}

// Check says what of a task is not as it must be, by looking at files and at what was sent, and not at windows. nil: it is
// done.
func (s *Set) Check(ctx context.Context, outcome round.Outcome) error {
	var errs []error
	if outcome != s.Ends {
		errs = append(errs, fmt.Errorf("it ended in %s, and should end in %s", outcome, s.Ends))
	}
	for _, e := range s.Expect {
		if err := s.check(ctx, e); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *Set) check(ctx context.Context, e Expect) error {
	path := filepath.Join(s.dir, e.File+e.Folder+e.Absent+e.PDF)
	info, err := os.Stat(path)
	switch {
	case e.Sent != nil:
		return s.wasSent(e.Sent)
	case e.Absent != "":
		if err == nil {
			return fmt.Errorf("%s is there", e.Absent)
		}
		return nil
	case err != nil:
		return fmt.Errorf("%s is not there", filepath.Base(path))
	case e.Folder != "":
		if !info.IsDir() {
			return fmt.Errorf("%s is no folder", e.Folder)
		}
		return nil
	case e.PDF != "":
		text, err := exec.CommandContext(ctx, "pdftotext", path, "-").Output()
		if err != nil {
			return fmt.Errorf("%s is no PDF: %w", e.PDF, err)
		}
		return e.in(string(text))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch {
	case e.Text != nil:
		if is := strings.TrimSuffix(string(raw), "\n"); is != *e.Text {
			return fmt.Errorf("%s is %q, and should be %q", e.File, is, *e.Text)
		}
	case e.Centred != "":
		return centred(raw, e.Centred)
	case e.Cell != "":
		return e.cell(raw)
	}
	return e.in(string(raw))
}

// in looks for texts.
func (e Expect) in(text string) error {
	for _, part := range e.Contains {
		if !strings.Contains(text, part) {
			return fmt.Errorf("%s lacks %q", e.File+e.PDF, part)
		}
	}
	for _, part := range e.Lacks {
		if strings.Contains(text, part) {
			return fmt.Errorf("%s has %q", e.File+e.PDF, part)
		}
	}
	return nil
}

func (s *Set) wasSent(want map[string]string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sent) != 1 {
		return fmt.Errorf("the form was sent %d times", len(s.sent))
	}
	is := map[string]string{}
	for name := range s.sent[0] {
		is[name] = s.sent[0].Get(name)
	}
	if !maps.Equal(is, want) {
		return fmt.Errorf("the form was sent with %v, and should be with %v", is, want)
	}
	return nil
}

// document is what is looked at of a flat OpenDocument file.
type document struct {
	Styles []struct {
		Name  string `xml:"name,attr"`
		Paras []struct {
			Align string `xml:"text-align,attr"`
		} `xml:"paragraph-properties"`
	} `xml:"automatic-styles>style"`
	Headings []struct {
		Style string   `xml:"style-name,attr"`
		Text  string   `xml:",chardata"`
		Spans []string `xml:"span"`
	} `xml:"body>text>h"`
	Sheets []struct {
		Rows []struct {
			Repeated int `xml:"number-rows-repeated,attr"`
			Cells    []struct {
				Columns int    `xml:"number-columns-repeated,attr"`
				Value   string `xml:"value,attr"`
				Formula string `xml:"formula,attr"`
				Text    string `xml:"p"`
			} `xml:",any"` // those that a merged one covers are called otherwise
		} `xml:"table-row"`
	} `xml:"body>spreadsheet>table"`
}

// centred reports whether a heading is in the middle of its line.
func centred(raw []byte, heading string) error {
	var d document
	if err := xml.Unmarshal(raw, &d); err != nil {
		return err
	}
	for _, h := range d.Headings {
		if h.Text+strings.Join(h.Spans, "") != heading {
			continue
		}
		for _, style := range d.Styles {
			if style.Name == h.Style && len(style.Paras) > 0 && style.Paras[0].Align == "center" {
				return nil
			}
		}
		return fmt.Errorf("the heading %q is not centred", heading)
	}
	return fmt.Errorf("there is no heading %q", heading)
}

// shown is a number as cells of a file have it.
var shown = regexp.MustCompile(`^-?[0-9.]+$`)

// cell compares a cell.
func (e Expect) cell(raw []byte) error {
	var d document
	if err := xml.Unmarshal(raw, &d); err != nil {
		return err
	}
	column, row, err := excelize.CellNameToCoordinates(e.Cell)
	if err != nil {
		return err
	}
	if len(d.Sheets) == 0 {
		return fmt.Errorf("%s has no sheet", e.File)
	}
	for _, r := range d.Sheets[0].Rows {
		if row -= max(1, r.Repeated); row > 0 {
			continue
		}
		for _, c := range r.Cells {
			if column -= max(1, c.Columns); column > 0 {
				continue
			}
			is := c.Text
			if shown.MatchString(c.Value) {
				is = c.Value
			}
			if is != e.Value || !strings.Contains(c.Formula, e.Formula) {
				return fmt.Errorf("the cell %s is %q with the formula %q", e.Cell, is, c.Formula)
			}
			return nil
		}
		break
	}
	return fmt.Errorf("there is no cell %s", e.Cell)
}
