package policies

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	drive     = regexp.MustCompile(`^[A-Za-z]:`)
	otherURL  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:[/\\]{2}`)
	encoded   = regexp.MustCompile(`(?i)%(2e|2f|5c|00|25)`)
	percents  = regexp.MustCompile(`%[^%/\\]+%`)
	shortName = regexp.MustCompile(`~[0-9]`)
	// lists is a separator of paths with something behind it that leads elsewhere.
	lists = regexp.MustCompile(`[:;](?:[/\\~]|\.\.?(?:[/\\:;]|$))`)
	// mayGoUp is a part of a path that becomes ".." where wildcards are read.
	mayGoUp = regexp.MustCompile(`(?:^|/)\.[^/]*[*?\[]`)
)

// tricky says what in a path does not mean what it looks like, to some reader, or to
// one that takes the path as it stands.
func tricky(name string, plain bool) string {
	switch {
	case name == "":
		return "is empty"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case strings.ContainsFunc(name, invisible):
		return "has characters that nobody sees"
	case strings.TrimSpace(name) != name:
		return "begins or ends with a blank"
	case strings.HasPrefix(name, "~"):
		return `begins with a "~"`
	case encoded.MatchString(name):
		return "has percent-encoded characters"
	case plain && mayGoUp.MatchString(name):
		return `has wildcards that some readers make ".." of`
	case plain:
	case strings.ContainsAny(name, "$`"), percents.MatchString(name):
		return "has a variable in it"
	case strings.ContainsAny(name, "*?"):
		return "has wildcards"
	case otherURL.MatchString(name):
		return "is a URL"
	}
	return ""
}

func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// trickyOnWindows is what Windows reads differently from how it is written. The
// separators in name are slashes.
func trickyOnWindows(name string) string {
	name = strings.TrimSuffix(drive.ReplaceAllString(name, ""), "/")
	for part := range strings.SplitSeq(name, "/") {
		device, _, _ := strings.Cut(part, ".")
		switch {
		case part == ".", part == "..":
		case strings.ContainsAny(part, `:<>|"*?`):
			return "has characters that are none of a name"
		case strings.TrimRight(part, " .") != part:
			return "has a name that ends with a dot or a blank"
		case shortName.MatchString(part):
			return "has a short name, which stands for another"
		case devices[lower(strings.TrimSpace(device))]:
			return "has the name of a device"
		}
	}
	return ""
}

var devices = setOf("con", "prn", "aux", "nul", "conin$", "conout$", "clock$",
	"com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "com¹", "com²", "com³",
	"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "lpt¹", "lpt²", "lpt³")

// lower folds ASCII letters only.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
