// Command counts says how much there is to learn: the exported names of each package, and
// the words of the documents.
//
//	go run ./internal/counts          # a table
//	go run ./internal/counts -limits  # the lines of limits.txt, with the numbers of today
//
// A name is an exported type, func, method, constant or variable; a method counts where its
// type is exported. The test of this package fails where a package has more than limits.txt
// allows. Whoever needs one more raises the number there, and says why.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	limits := flag.Bool("limits", false, "print the lines of limits.txt")
	flag.Parse()
	if err := run(os.Stdout, *limits); err != nil {
		fmt.Fprintln(os.Stderr, "counts:", err)
		os.Exit(1)
	}
}

func run(to io.Writer, limits bool) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	all, err := countAll(root)
	if err != nil {
		return err
	}
	if limits {
		for _, c := range all {
			if c.group != "internal" {
				_, _ = fmt.Fprintf(to, "%-24s %4d %4d\n", c.name, c.names(), c.fields)
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "package\tlines\ttypes\tfuncs\tmethods\tvalues\tNAMES\tfields\terror types\tsentinels\t")
	sums := map[string]*counts{}
	for _, c := range all {
		if sums[c.group] == nil {
			sums[c.group] = &counts{name: "= " + c.group}
		}
		sums[c.group].add(c)
		if c.group != "internal" {
			c.row(w)
		}
	}
	for _, group := range []string{"core", "kits", "internal"} {
		if sums[group] != nil {
			sums[group].row(w)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printWords(to, root)
}

func (c *counts) row(w io.Writer) {
	_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n",
		c.name, c.lines, c.types, c.funcs, c.methods, c.values, c.names(), c.fields, c.errorTypes, c.sentinels)
}

func printWords(to io.Writer, root string) error {
	all, docs, err := words(root)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "\nwords of Markdown: %d, in docs/ %d\n", all, docs)
	return err
}
