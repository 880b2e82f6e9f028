package policies

import (
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/internal/spelling"
)

// piece is what in a line of a text is a path, to some reader.
type piece struct {
	line    string // to be quoted
	path    string // without what stands around it
	problem string // why it may not be used, whichever path it is
}

// pathsIn returns the paths in a text: of each line the one that it begins with,
// behind quotes, brackets, blanks, name=, "@" and an option, and whatever goes up.
func pathsIn(text string) []piece {
	var pieces []piece
	for line := range strings.FieldsFuncSeq(text, endsLine) {
		plain := spelling.Seen(line)
		if upwards.MatchString(plain) {
			pieces = append(pieces, piece{line: line, problem: `has a ".." in it`})
			continue
		}
		path, found := pathOf(plain)
		switch {
		case !found:
		case plain != line:
			pieces = append(pieces, piece{line: line, problem: "has characters that nobody sees"})
		default:
			pieces = append(pieces, piece{line: line, path: path})
		}
	}
	return pieces
}

// endsLine is what ends a line, or an item of a list, to some reader.
func endsLine(r rune) bool {
	switch r {
	case 0, '\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

// pathOf returns the path that a line begins with.
func pathOf(line string) (path string, found bool) {
	quoted := false
	for {
		rest := opening.ReplaceAllString(line, "")
		quoted = quoted || strings.TrimSpace(line[:len(line)-len(rest)]) != ""
		if pathLike.MatchString(rest) {
			path = rest
			break
		}
		if at := option.FindStringSubmatchIndex(rest); at != nil {
			path = rest[at[4]:]
			quoted = quoted || at[3] > at[2]
			break
		}
		name := assigned.FindString(rest)
		if name == "" {
			return "", false
		}
		line = rest[len(name):]
	}
	if quoted {
		path = closing.ReplaceAllString(path, "")
	}
	return path, true
}

const (
	// begins is what a path begins with.
	begins = `(?:[/\\]|~[a-z_][\w.-]*[/\\]|~[/\\]|~$|~root\b|\.\.?[/\\]|\.\.$|[a-z]:[/\\]|file:|\$\{?\w+\}?[/\\]|%\w+%[/\\])`
	// around are blanks, quotes and brackets.
	around = "[\\s\\pC\\pZ\"'`´＂＇<>\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}]*"
	// dot and slash are also encoded, for a reader who decodes them.
	dot   = `(?:\.|%2e)`
	slash = `(?:[/\\]|%2f|%5c)`
)

var (
	pathLike = regexp.MustCompile(`(?i)^[\s\pC\pZ]*` + begins)
	opening  = regexp.MustCompile(`^` + around)
	closing  = regexp.MustCompile(around + `$`)
	// option is a letter or several with a path behind them: -o/etc/passwd.
	option = regexp.MustCompile(`(?i)^--?[a-z-]*?(` + around + `)(` + begins + `)`)
	// assigned is a name with a path behind it (output=/etc/passwd, name:=x) or with
	// the name of a file to be read (@/etc/passwd, data@x).
	assigned = regexp.MustCompile(`^[^\s=@/\\"'<>]*\s*[=@]`)
	// upwards is ".." as a part of a path, wherever it stands in the line.
	upwards = regexp.MustCompile(`(?i)(?:^|[^\pL\pN_.])` + dot + dot + slash + `|` + slash + dot + dot + `(?:$|[^\pL\pN_.])`)
)
