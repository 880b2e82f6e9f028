// Command generate renews the marked parts of the repository's Markdown files: go run ./internal/lab/generate.
// With -check it only lists what is out of date, and fails. A marker is a comment at the start of a line:
//
//	<!-- diagram: KIND -->                       hostagent or appagent
//	<!-- example: FILE FUNCTION [REGION] -->     the body of an Example, or its lines after // region REGION
//	<!-- program: FILE FUNCTION -->              an Example as a whole program
//	<!-- output: FILE FUNCTION [LANGUAGE] -->    what an Example prints
//	<!-- code: FILE [NAME…] -->                  declarations of a Go file, or all of it; a method is TYPE.NAME
//	<!-- text: FILE [HEADING] -->                a text file, or what is below its line --- HEADING
//
// <!-- /diagram --> closes the first one, and so on. Go code outside of a marker is an error.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "write nothing, fail if something is out of date")
	flag.Parse()
	if err := generate(context.Background(), ".", *check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate renews the Markdown files that git knows, without fixtures.
func generate(ctx context.Context, root string, check bool) error {
	list, err := exec.CommandContext(ctx, "git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md", ":!*/testdata/*").Output()
	if err != nil {
		return err
	}
	var errs []error
	for name := range strings.FieldsSeq(string(list)) {
		path := filepath.Join(root, name)
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		renewed, err := renew(root, old)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		case bytes.Equal(old, renewed):
		case check:
			errs = append(errs, fmt.Errorf("%s is out of date, run make docs", name))
		default:
			errs = append(errs, os.WriteFile(path, renewed, 0o644))
		}
	}
	return errors.Join(errs...)
}

var (
	opening = regexp.MustCompile(`(?m)^<!-- (diagram|example|program|output|code|text): (.*) -->\n`)
	goFence = regexp.MustCompile("(?m)^ {0,3}(```+|~~~+)\\s*go(lang)?\\b")
)

// renew returns a document with its marked parts renewed.
func renew(root string, text []byte) ([]byte, error) {
	var renewed, outside []byte
	for m := opening.FindSubmatch(text); m != nil; m = opening.FindSubmatch(text) {
		before, after, _ := bytes.Cut(text, m[0])
		closing := "<!-- /" + string(m[1]) + " -->\n"
		old, behind, closed := bytes.Cut(after, []byte(closing))
		if !closed || opening.Match(old) {
			return nil, fmt.Errorf("%s is not closed", bytes.TrimSpace(m[0]))
		}
		language, part, err := render(root, string(m[1]), strings.Fields(string(m[2])))
		if err == nil && strings.TrimSpace(part) == "" {
			err = errors.New("it leads to nothing")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", bytes.TrimSpace(m[0]), err)
		}
		fence := "```"
		if strings.Contains(part, fence) {
			fence = "````"
		}
		renewed, outside = append(renewed, before...), append(outside, before...)
		renewed = fmt.Appendf(renewed, "%s%s%s\n%s\n%s\n%s", m[0], fence, language, strings.TrimRight(part, "\n"), fence, closing)
		text = behind
	}
	if goFence.Match(append(outside, text...)) {
		return nil, errors.New("there is Go code without a marker that keeps it true")
	}
	return append(renewed, text...), nil
}
