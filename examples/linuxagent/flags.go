package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// settings are what the flags say.
type settings struct {
	dir      string // "": the sample
	column   string // "": the person is asked
	workbook string
	jsonl    string // "": none
	confirm  consent
}

// consent is what the flag -confirm says.
type consent string

const (
	ask consent = "ask"
	yes consent = "yes"
	no  consent = "no"
)

// parse reads the flags. What is wrong with them was written to w already, unless
// the error is flag.ErrHelp.
func parse(args []string, w io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("linuxagent", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the usage is for who asks for it: below it nobody finds what is wrong
	flags.StringVar(&s.dir, "dir", "", "`FOLDER` with CSV files; empty: the sample")
	flags.StringVar(&s.column, "column", "amount", "`NAME` of the column to total, as in the headers; empty: ask")
	flags.StringVar(&s.workbook, "workbook", "answer.xlsx", "`FILE.xlsx` to put the answer into; its other sheets stay")
	flags.StringVar(&s.jsonl, "jsonl", "", "`FILE` to record each step and the end in, as lines of JSON")
	confirm := flags.String("confirm", string(ask), "whether commands that are not on the list may run, and the workbook be replaced: `ask`, yes or no; without a terminal ask means no")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(w)
		flags.Usage()
		return s, err
	}
	if s.confirm = consent(*confirm); err != nil {
		err = fmt.Errorf("linuxagent: %w", err)
	} else {
		err = s.check(flags.Args())
	}
	if err != nil {
		fmt.Fprintf(w, "%v (-h lists the flags)\n", err)
	}
	return s, err
}

func (s *settings) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("linuxagent: what is %q? Everything is given by flags", rest[0])
	case s.confirm != ask && s.confirm != yes && s.confirm != no:
		return fmt.Errorf("linuxagent: -confirm is %q, not ask, yes or no", s.confirm)
	case !strings.EqualFold(filepath.Ext(s.workbook), ".xlsx"):
		return fmt.Errorf("linuxagent: -workbook is %q, and its name must end in .xlsx", s.workbook)
	case s.jsonl != "" && filepath.Clean(s.jsonl) == filepath.Clean(s.workbook):
		return errors.New("linuxagent: -jsonl would write into the file of -workbook")
	}
	return nil
}

// request is the job, as a user would put it.
func (s *settings) request() string {
	if s.column == "" {
		return "which of these CSV files has the highest total? Put the answer into the workbook."
	}
	return fmt.Sprintf("which of these CSV files has the highest total of %q? Put the answer into the workbook.", s.column)
}
