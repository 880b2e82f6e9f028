package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/agentfsm/agentfsm/examples/internal/person"
)

// settings are what the flags say.
type settings struct {
	in, out, request string
	confirm          person.Consent
	model            string
	pictures         string
	journal, dir     string
	display, bus     string
	verbose          bool
}

const defaultRequest = "Extract the sales table from the document and create a bar chart"

// parse reads the flags. What is wrong with them was written to w already, unless the error is flag.ErrHelp.
func parse(args []string, w io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("office", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the usage is for who asks for it: below it nobody finds what is wrong
	flags.StringVar(&s.in, "in", "", "`FILE` with the table: .docx or .odt")
	flags.StringVar(&s.out, "out", "", "`FILE` for the chart: .xlsx or .ods")
	flags.StringVar(&s.request, "request", defaultRequest, "what to draw")
	confirm := flags.String("confirm", string(person.Ask), "whether a file may be replaced: `ask`, yes or no; without a terminal ask means no")
	flags.StringVar(&s.model, "model", "", "`NAME` of a model of your own endpoint, which OPENAI_BASE_URL and OPENAI_API_KEY say; empty: the rules of this program")
	flags.StringVar(&s.pictures, "pictures", "", "`DIR` for what the agents see; empty: they see no pictures")
	flags.StringVar(&s.journal, "journal", "", "`DIR` of a journal, with which the next process goes on when this one dies; needs -dir and -display")
	flags.StringVar(&s.dir, "dir", "", "`DIR` of the run, which stays; empty: a new one that is removed")
	flags.StringVar(&s.display, "display", "", "`NAME` of a display that runs, such as :0, with -bus; empty: one that nobody sees")
	flags.StringVar(&s.bus, "bus", os.Getenv("DBUS_SESSION_BUS_ADDRESS"), "`ADDRESS` of the session bus of -display")
	flags.BoolVar(&s.verbose, "v", false, "print what the agents do in each step")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(w)
		flags.Usage()
		return s, err
	}
	if s.confirm = person.Consent(*confirm); err != nil {
		err = fmt.Errorf("office: %w", err)
	} else {
		err = s.check(flags.Args())
	}
	if err != nil {
		fmt.Fprintf(w, "%v (-h lists the flags)\n", err)
	}
	return s, err
}

func (s *settings) check(rest []string) error {
	own := os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
	switch {
	case len(rest) > 0:
		return fmt.Errorf("office: what is %q? Everything is given by flags", rest[0])
	case s.in == "" || s.out == "":
		return errors.New("office: -in names a document, -out a spreadsheet")
	case !s.confirm.Known():
		return fmt.Errorf("office: -confirm is %q, not ask, yes or no", s.confirm)
	case own && s.model == "":
		return errors.New("office: OPENAI_BASE_URL or OPENAI_API_KEY is set: say with -model, or MODEL= of make, which model to ask, or unset it to use the rules of this program")
	case s.model != "" && !own:
		return errors.New("office: -model is set, and neither OPENAI_BASE_URL nor OPENAI_API_KEY says where it is")
	case s.display != "" && s.bus == "":
		return errors.New("office: -display needs -bus, or DBUS_SESSION_BUS_ADDRESS")
	case s.journal != "" && (s.dir == "" || s.display == ""):
		return errors.New("office: -journal needs -dir and -display: what another process goes on with must be there")
	}
	return nil
}
