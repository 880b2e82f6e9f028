// Command counts prints how much there is to read and to learn.
//
//	go run ./internal/lab/counts             # exported names and fields of each package
//	go run ./internal/lab/counts -lines      # production lines by group: Go without tests, HTML, CSS and JavaScript
//
// The test of this package fails if a package has more names than limits.txt allows.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	root := flag.String("root", ".", "`folder` of the repository")
	lines := flag.Bool("lines", false, "print lines instead of names")
	flag.Parse()
	show := printNames
	if *lines {
		show = printLines
	}
	if err := show(os.Stdout, *root); err != nil {
		fmt.Fprintln(os.Stderr, "counts:", err)
		os.Exit(1)
	}
}

func printNames(to io.Writer, root string) error {
	all, err := countNames(root)
	if err != nil {
		return err
	}
	for _, n := range all {
		fmt.Fprintf(to, "%-24s %4d %4d\n", n.folder, n.names, n.fields)
	}
	return nil
}
