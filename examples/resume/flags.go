package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
)

// call is what a subcommand was called with.
type call struct {
	folder string
	files  *store.FileStore
	store  store.Store // files, or what looks on at them
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
	flags.SetOutput(io.Discard) // until it is known that the usage is wanted
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "Usage: resume %s [flags] %s\n", cmd.name, cmd.args)
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
	err := flags.Parse(args)
	c.args = flags.Args()
	if want := strings.Fields(cmd.args); err == nil && len(c.args) != len(want) {
		err = fmt.Errorf("%s takes %d arguments, not %d", cmd.name, len(want), len(c.args))
	}
	if err == nil {
		return c, nil
	}
	flags.SetOutput(p.problems)
	flags.Usage()
	if !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(p.problems, "resume:", err) // last, where it is seen
	}
	return nil, err
}

// open opens the journals. Only what begins a run makes a folder for them.
func (c *call) open(p program, begins bool) error {
	if info, err := os.Stat(c.folder); !begins && (err != nil || !info.IsDir()) {
		return fmt.Errorf("there is no folder of journals %q", c.folder)
	}
	files, err := store.Files(c.folder, &store.FilesOptions{Logger: slog.New(slog.NewTextHandler(p.problems, nil))})
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
func reply(word string) people.Answer {
	return people.Answer{Text: word, Approved: word == "yes"}
}
