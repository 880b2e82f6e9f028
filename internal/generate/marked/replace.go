package marked

import (
	"fmt"
	"regexp"
	"strings"
)

// Renderer returns the Markdown for a marker. Its arguments are the words after
// the colon. A nil Renderer leaves what its markers hold to another program.
type Renderer func(args []string) (string, error)

var (
	opening = regexp.MustCompile(`^<!-- ([a-z]+): (.*\S) -->$`)
	closing = regexp.MustCompile(`^<!-- /([a-z]+) -->$`)
	fence   = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
	goFence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})\\s*(go|golang)\\b")
)

// Replace returns the text with what stands between its markers renewed, and
// the opening lines of those markers where that changed something. Comments that
// open no known marker are left alone. Go code outside of markers is an error:
// nobody would notice when it is wrong. Errors name the file and the line.
func Replace(file, text string, renderers map[string]Renderer) (string, []string, error) {
	var (
		out     strings.Builder
		changed []string
		inFence string // what must close the fence that the line is in
	)
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		out.WriteString(lines[i])
		if m := fence.FindStringSubmatch(line); m != nil {
			switch {
			case inFence == "":
				if goFence.MatchString(line) {
					return "", nil, fmt.Errorf("marked: %s:%d: Go code without a marker that keeps it true", file, i+1)
				}
				inFence = m[1]
			case strings.HasPrefix(m[1], inFence) && strings.TrimSpace(line) == m[1]:
				inFence = ""
			}
		}
		if inFence != "" {
			continue
		}
		if m := closing.FindStringSubmatch(line); m != nil {
			return "", nil, fmt.Errorf("marked: %s:%d: nothing is open that %s could close", file, i+1, line)
		}
		m := opening.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		render, known := renderers[m[1]]
		if !known {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimRight(lines[end], "\r\n") != "<!-- /"+m[1]+" -->" {
			if other := strings.TrimRight(lines[end], "\r\n"); other == line {
				break
			}
			end++
		}
		if end == len(lines) || strings.TrimRight(lines[end], "\r\n") == line {
			return "", nil, fmt.Errorf("marked: %s:%d: %s is not closed", file, i+1, line)
		}
		body := strings.Join(lines[i+1:end], "")
		if render != nil {
			renewed, err := render(strings.Fields(m[2]))
			if err != nil {
				return "", nil, fmt.Errorf("marked: %s:%d: %s: %w", file, i+1, line, err)
			}
			renewed = strings.TrimRight(renewed, "\n") + "\n"
			if body != renewed {
				changed = append(changed, line)
			}
			body = renewed
		}
		out.WriteString(body)
		out.WriteString(lines[end])
		i = end
	}
	if inFence != "" {
		return "", nil, fmt.Errorf("marked: %s: a code fence is not closed", file)
	}
	return out.String(), changed, nil
}

// Fence wraps text in a code fence that the text cannot end.
func Fence(language, text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + language + "\n" + strings.TrimRight(text, "\n") + "\n" + mark + "\n"
}
