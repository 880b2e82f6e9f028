package task

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/round"
)

// valid says what a task lacks, and what it has that nothing would look at.
func (t Task) valid() error {
	if t.Name == "" || t.Instruction == "" || len(t.Expect) == 0 {
		return errors.New("a name, an instruction or what is expected is missing")
	}
	if t.Ends != round.Finished && t.Ends != round.Failed {
		return fmt.Errorf("it ends in %s, and not in FINISH or FAIL", t.Ends)
	}
	for _, argv := range t.Opens {
		if len(argv) == 0 {
			return errors.New("it opens a program without a name")
		}
	}
	for name := range t.Files {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the file %s is not in the folder of the task", name)
		}
	}
	for i, e := range t.Expect {
		err := e.valid()
		if err == nil && e.Sent != nil && t.Page == "" {
			err = errors.New("without a page nothing is sent")
		}
		if err != nil {
			return fmt.Errorf("expectation %d: %w", i+1, err)
		}
	}
	return nil
}

// valid says why an expectation is not one of one thing.
func (e Expect) valid() error {
	texts := len(e.Contains)+len(e.Lacks) > 0
	named := count(e.File != "", e.Folder != "", e.Absent != "", e.PDF != "", e.Sent != nil)
	looks := count(e.Text != nil, texts, e.Centred != "", e.Cell != "")
	switch {
	case named != 1:
		return fmt.Errorf("it names %d of file, folder, absent, pdf and sent, and not one", named)
	case e.File != "" && looks != 1:
		return fmt.Errorf("it has %d of text, contains and lacks, centred, and cell, and not one", looks)
	case e.PDF != "" && !texts:
		return errors.New("it says nothing of the text of the PDF")
	case e.File == "" && looks != count(e.PDF != ""):
		return errors.New("only a file has a text, a heading and cells")
	case e.Cell == "" && e.Value+e.Formula != "":
		return errors.New("it has a value or a formula, and no cell")
	case e.Sent == nil && !filepath.IsLocal(e.File+e.Folder+e.Absent+e.PDF):
		return fmt.Errorf("%s is not in the folder of the task", e.File+e.Folder+e.Absent+e.PDF)
	}
	if e.Cell != "" {
		_, _, err := excelize.CellNameToCoordinates(e.Cell)
		return err
	}
	return nil
}

func count(all ...bool) (n int) {
	for _, is := range all {
		if is {
			n++
		}
	}
	return n
}
