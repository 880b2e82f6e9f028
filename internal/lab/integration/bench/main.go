package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(log)
	turns := flags.Int("turns", 5, "how often each `number` is measured")
	most := flags.Int("n", 1000, "the longest run, in `steps`")
	write := flags.Bool("write", false, "write the tables into docs/comparison.md")
	root := flags.String("root", "../../..", "`folder` of the repository")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *turns < 1 || *most < 100 || *write && *most < 1000 {
		return errors.New("bench: at least one turn, and runs of at least 100 steps; -write needs 1,000")
	}
	runtime.GOMAXPROCS(1) // what a second thread collects would depend on who else has it
	r, err := measureAll(ctx, log, *turns, *most)
	if err != nil {
		return err
	}
	for _, name := range order {
		fmt.Fprintf(out, "%s\n", r.tables()[name])
	}
	if *write {
		return renew(filepath.Join(*root, "docs", "comparison.md"), r.tables())
	}
	return nil
}

// renew writes the tables between the markers of a file.
func renew(file string, tables map[string]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, name := range order {
		before, old, found := strings.Cut(string(text), "<!-- bench: "+name+" -->\n")
		_, after, closed := strings.Cut(old, "<!-- /bench -->\n")
		if !found || !closed {
			return fmt.Errorf("bench: %s has no place for %s", file, name)
		}
		text = []byte(before + "<!-- bench: " + name + " -->\n" + tables[name] + "<!-- /bench -->\n" + after)
	}
	return os.WriteFile(file, text, 0o644)
}
