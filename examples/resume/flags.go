package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/round/journal"
)

// call is what a subcommand was called with.
type call struct {
	folder string
	files  *journal.FileStore
	store  journal.Store // files, or what looks on at them
	args   []string

	// Of run. What is empty in wanted was not given.
	run, hold string
	wanted    job

	whole bool // of show
}

// parse reads the arguments of a subcommand. What is wrong with them was written
// already, unless the error is flag.ErrHelp.
func (p program) parse(cmd command, args []string) (*call, error) {
	c := &call{}
	flags := flag.NewFlagSet("resume "+cmd.name, flag.ContinueOnError)
	flags.SetOutput(p.problems)
	flags.Usage = func() {
		fmt.Fprintf(p.problems, "Usage: resume %s [flags] %s\n", cmd.name, cmd.args)
		flags.PrintDefaults()
	}
	flags.StringVar(&c.folder, "journals", "journals", "`FOLDER` of the journals")
	switch cmd.name {
	case "run":
		flags.StringVar(&c.run, "run", "chart", "`ID` of the run")
		flags.StringVar(&c.wanted.In, "in", "", "`FILE.docx` to read; a sample, if none was ever given")
		flags.StringVar(&c.wanted.Out, "out", "", "`FILE.xlsx` to write; chart.xlsx, if none was ever given")
		flags.StringVar(&c.wanted.Request, "request", "", "what to do, as `TEXT`; a bar chart of the sales, if it was never given")
		flags.StringVar(&c.hold, "hold", "", "stand still when the desktop has executed `TOOL`, so that this process can be killed there; after a minute that is a command that did not answer in time")
	case "show":
		flags.BoolVar(&c.whole, "v", false, "long records as a whole")
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	c.args = flags.Args()
	if len(c.args) != len(strings.Fields(cmd.args)) {
		flags.Usage()
		return nil, errors.New("resume: wrong number of arguments")
	}
	return c, nil
}

// open opens the journals. Only what begins a run makes a folder for them.
func (c *call) open(p program, begins bool) error {
	if info, err := os.Stat(c.folder); !begins && (err != nil || !info.IsDir()) {
		return fmt.Errorf("there is no folder of journals %q", c.folder)
	}
	files, err := journal.Files(c.folder, &journal.FilesOptions{Torn: func(torn journal.Torn) { fmt.Fprintln(p.problems, torn) }})
	if err != nil {
		return err
	}
	if c.files, c.store = files, files; p.wrap != nil {
		c.store = p.wrap(files)
	}
	return nil
}

// reply is the answer that a word of the command line means. Everything but yes is a no
// where a command is to be approved, and the text of the answer where something is asked.
func reply(word string) processor.Answer {
	return processor.Answer{Text: word, Approved: word == "yes"}
}
