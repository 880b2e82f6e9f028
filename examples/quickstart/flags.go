package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// defaultRequest is the job when none is given.
const defaultRequest = "extract the sales table from the Word document and create a bar chart in Excel"

// settings are what the flags say.
type settings struct {
	in      string // "": the sample
	out     string
	request string
	jsonl   string // "": none
	confirm consent
}

// consent is what the flag -confirm says.
type consent string

const (
	ask consent = "ask"
	yes consent = "yes"
	no  consent = "no"
)

// parse reads the flags. What is wrong with them was written to w already,
// unless the error is flag.ErrHelp.
func parse(args []string, w io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the usage is for who asks for it: below it nobody finds what is wrong
	flags.StringVar(&s.in, "in", "", "`FILE.docx` to read; empty: the sample")
	flags.StringVar(&s.out, "out", "chart.xlsx", "`FILE.xlsx` to write")
	flags.StringVar(&s.request, "request", defaultRequest, "what to do, as `TEXT`")
	flags.StringVar(&s.jsonl, "jsonl", "", "`FILE` to record each step and the end in, as lines of JSON")
	confirm := flags.String("confirm", string(ask), "whether an existing file may be replaced: `ask`, yes or no; without a terminal ask means no")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(w)
		flags.Usage()
		return s, err
	}
	if s.confirm = consent(*confirm); err != nil {
		err = fmt.Errorf("quickstart: %w", err)
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
		return fmt.Errorf("quickstart: what is %q? Everything is given by flags", rest[0])
	case s.confirm != ask && s.confirm != yes && s.confirm != no:
		return fmt.Errorf("quickstart: -confirm is %q, not ask, yes or no", s.confirm)
	case !strings.EqualFold(filepath.Ext(s.out), ".xlsx"):
		return fmt.Errorf("quickstart: -out is %q, and its name must end in .xlsx", s.out)
	case strings.TrimSpace(s.request) == "":
		return errors.New("quickstart: -request is empty")
	case s.jsonl != "" && (same(s.jsonl, s.in) || same(s.jsonl, s.out)):
		return errors.New("quickstart: -jsonl would write into the file of -in or -out")
	}
	return nil
}

// same reports whether two names are of one file.
func same(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
