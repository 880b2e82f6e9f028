package policy

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// Hosts allows commands whose URLs and hosts are all on the list and denies those
// with another one, or with one that cannot be judged (see [HostList.Problem]). A
// command without one is allowed. A nil list is empty.
//
// A URL is the value of a parameter whose name ends in a word such as url, uri,
// link, host or domain, or is among opts.Parameters; whose schema says format
// uri, url or hostname; and whatever in any string has a scheme and "://", or
// begins with www. or with a scheme of those that run or carry code (javascript,
// data, …). A tool that goes to hosts which its parameters do not name is not
// seen: leave it off the list of [Tools].
//
// A URL is one URL, up to its end: an address in its query or path is a text to this
// policy, and where the server redirects to it
// (https://example.com/out?next=https://evil.example) the tool goes there. List no host
// that redirects to addresses it is given, or have the tool refuse redirects.
//
// A shell command is denied, because a command line can name a host in more ways
// than this policy reads. Judge it with a policy of its own and ignore it here:
// opts.Ignore. opts may be nil.
func Hosts(list *HostList, opts *ScanOptions) processor.Policy {
	if list == nil {
		list = &HostList{}
	}
	opts = opts.clone()
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		if slices.Contains(opts.Ignore, cmd.ToolName) {
			return allow
		}
		if cmd.ToolName == desktop.RunShell {
			return deny("a shell command can name any host")
		}
		values, ok := valuesOf(tool, cmd, opts)
		if !ok {
			return deny("its parameters cannot be read")
		}
		for _, v := range values {
			for _, u := range urlsOf(v, opts) {
				if problem := list.Problem(u); problem != "" {
					return deny("the URL " + quoteOf(tool, cmd, u) + " " + problem)
				}
			}
		}
		return allow
	}
}

// urlsOf returns what in a value is a URL: all of it where it must be one,
// otherwise the parts that look like one.
func urlsOf(v value, opts *ScanOptions) []string {
	if v.text == "" {
		return nil
	}
	switch v.format {
	case "uri", "url", "iri", "hostname", "idn-hostname", "ipv4", "ipv6", "uri-reference", "iri-reference":
		return []string{v.text}
	}
	if slices.Contains(opts.Parameters, v.name) {
		return []string{v.text}
	}
	if words := wordsOf(v.name); len(words) > 0 && urlWords[words[len(words)-1]] {
		return []string{v.text}
	}
	if urlLike.MatchString(v.text) {
		return []string{strings.TrimSpace(v.text)}
	}
	found := urlInside.FindAllString(v.text, -1)
	for i := range found {
		found[i] = strings.TrimRight(found[i], ".,;!?)") // of the sentence around it
	}
	return found
}

var (
	urlWords = setOf("url", "urls", "uri", "uris", "href", "link", "links", "host", "hosts", "hostname", "domain", "domains", "endpoint", "website")
	// urlLike is a string that is a URL from its beginning, to a browser that drops
	// blanks there.
	urlLike = regexp.MustCompile(`(?i)^[\s\pC]*(//[^/\s]|www\.|(javascript|vbscript|data|blob|about|view-source|chrome|filesystem|mailto|ftp):)`)
	// urlInside is one in a longer text. It ends where a blank or a quote does; with
	// what is no part of it any more it is denied, not passed over.
	urlInside = regexp.MustCompile(`(?i)(?:(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]*:[/\\]{2})[^\s"'<>]*`)
)
