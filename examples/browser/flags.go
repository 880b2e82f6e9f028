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
	seed     uint64
	runs     int
	confirm  person.Consent
	hostile  bool
	gullible bool
	headed   bool
	out      string
	parts    string
	model    string
	jsonl    string
	verbose  bool
}

// parse reads the flags. What is wrong with them was written to w already, unless the
// error is flag.ErrHelp.
func parse(args []string, w io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("browser", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the usage is for who asks for it: below it nobody finds what is wrong
	flags.Uint64Var(&s.seed, "seed", 1, "`N` makes the data of the first run; each run after it takes the next")
	flags.IntVar(&s.runs, "runs", 1, "how many runs, one after the other, each with other data: `N`")
	confirm := flags.String("confirm", string(person.Ask), "whether an order may be sent: `ask`, yes or no; without a terminal ask means no")
	flags.BoolVar(&s.hostile, "hostile", false, "put orders to the agent into the pages")
	flags.BoolVar(&s.gullible, "gullible", false, "let the model of this program follow such orders")
	flags.BoolVar(&s.headed, "headed", false, "show the browsers")
	flags.StringVar(&s.out, "out", "", "`DIR` for the summaries, each in a new folder; empty: a new one among the temporary files")
	flags.StringVar(&s.parts, "parts", "", "`DIR` with node_modules; empty: AGENTFSM_REALPARTS, or what internal/lab/realparts/install.sh has installed")
	flags.StringVar(&s.model, "model", "", "`NAME` of a model of your own endpoint, which OPENAI_BASE_URL and OPENAI_API_KEY say; empty: the model of this program")
	flags.StringVar(&s.jsonl, "jsonl", "", "`FILE` to record each step and the ends in, as lines of JSON")
	flags.BoolVar(&s.verbose, "v", false, "print what the agents do in each step")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(w)
		flags.Usage()
		return s, err
	}
	if s.confirm = person.Consent(*confirm); err != nil {
		err = fmt.Errorf("browser: %w", err)
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
		return fmt.Errorf("browser: what is %q? Everything is given by flags", rest[0])
	case !s.confirm.Known():
		return fmt.Errorf("browser: -confirm is %q, not ask, yes or no", s.confirm)
	case s.runs < 1:
		return fmt.Errorf("browser: -runs is %d, and must be 1 at least", s.runs)
	case own && s.model == "":
		return errors.New("browser: OPENAI_BASE_URL or OPENAI_API_KEY is set: say with -model which model to ask, or unset it to use that of this program")
	case s.model != "" && !own:
		return errors.New("browser: -model is set, and neither OPENAI_BASE_URL nor OPENAI_API_KEY says where it is")
	case s.model != "" && s.gullible:
		return errors.New("browser: -gullible is a property of the model of this program, and -model names another")
	}
	return nil
}
