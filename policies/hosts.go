package policies

import (
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// Hosts allows commands whose URLs and hosts are all on the list and denies those with another one, or with one that
// cannot be judged (see [HostList.Problem]). A command without one is allowed. A nil list is empty.
//
// A URL is known by the name of its parameter (url, link, host, …, or one of opts.Parameters),
// by its schema, and by its look. An address in the query of a URL is a text to this policy:
// list no host that redirects to addresses it is given. A tool that goes to hosts which its
// parameters do not name is not seen. The guide docs/guides/approvals.md has the details.
//
// A shell command is denied, because a command line can name a host in more ways than this policy reads. Judge it with
// a policy of its own and ignore it here: opts.Ignore. opts may be nil.
func Hosts(list *HostList, opts *ScanOptions) Func {
	if list == nil {
		list = &HostList{}
	}
	return scanned(&urlKind, opts, func(_ desktop.Command, v value, named bool) (shown, problem string) {
		for _, u := range urlsOf(v, named) {
			problem := list.Problem(u.text)
			if problem == "" && u.goesOn {
				problem = `is followed by "@", so its host is unclear`
			}
			if problem != "" {
				return u.text, problem
			}
		}
		return "", ""
	})
}

// foundURL is what in a value is a URL.
type foundURL struct {
	text   string
	goesOn bool // its host may be a user name, to who reads on behind it
}

// urlsOf returns what in a value is a URL: all of it where it must be one, otherwise the parts that look like one.
func urlsOf(v value, named bool) []foundURL {
	switch {
	case v.text == "":
		return nil
	case named:
		return []foundURL{{text: v.text}}
	case urlLike.MatchString(v.text):
		return []foundURL{{text: hostGoesOn.ReplaceAllString(strings.TrimSpace(v.text), "$1")}}
	}
	var found []foundURL
	for _, at := range urlInside.FindAllStringSubmatchIndex(v.text, -1) {
		text := v.text[max(at[2], at[4]):at[1]]
		behind, _, _ := strings.Cut(v.text[at[1]:], "/")
		found = append(found, foundURL{
			text:   hostGoesOn.ReplaceAllString(strings.TrimRight(text, ".,;!?)。"), "$1"), // without the sentence around it
			goesOn: hostOnly.MatchString(text) && strings.Contains(behind, "@"),
		})
	}
	return found
}

var (
	urlKind = kind{
		what:    "URL",
		formats: setOf("uri", "url", "iri", "hostname", "idn-hostname", "ipv4", "ipv6", "uri-reference", "iri-reference"),
		words: setOf("url", "urls", "uri", "uris", "href", "link", "links", "host", "hosts", "hostname", "domain", "domains",
			"endpoint", "website"),
		of: setOf("name", "names", "address", "addresses", "addr", "string", "text", "value"),
	}
	// urlLike is a string that is a URL from its beginning, to a browser that drops blanks there.
	urlLike = regexp.MustCompile(`(?i)^[\s\pC\pZ]*(//[^/\s]|www\.|(https?|wss?|ftp|javascript|vbscript|data|blob|about|view-source|chrome|filesystem|mailto):|` +
		`[a-z][a-z0-9+.-]*:[/\\]{2})`)
	// urlInside is one in a longer text. It ends where a blank or a quote does; with
	// what is no part of it any more it is denied, not passed over. One without a scheme begins with www, has two
	// labels more, and is not behind one slash: that is a file.
	urlInside = regexp.MustCompile(`(?i)((?:(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]*:[/\\]{2})[^\s"'<>]*)|(?:^|[^a-z0-9/\\]|[/\\]{2})` +
		`([wｗ]{3}[.．。｡][^\s\pZ"'<>/\\?#.．。｡]+[.．。｡][^\s\pZ"'<>.．。｡][^\s\pZ"'<>]*)`)
	// hostGoesOn is a host with punctuation behind it, and what is no part of a host to any reader.
	hostGoesOn = regexp.MustCompile(`^([\pL\pM\pN_.-]+)[‐-―\p{Ps}\p{Pe}\p{Pi}\p{Pf}…,;!*，、！；？][^\pC\pZ.．。｡:/?#@\\%]*$`)
	// hostOnly is one whose host has not ended.
	hostOnly = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:[/\\]*[^/]*$`)
)
