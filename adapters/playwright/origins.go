package playwright

import (
	"errors"
	"fmt"
	neturl "net/url"
	"strings"

	"github.com/agentfsm/agentfsm/policies"
)

// origins are what pages may have; nil: any.
type origins []*policies.HostList

func newOrigins(list []string) (origins, error) {
	var o origins
	for _, entry := range list {
		scheme, host, ok := strings.Cut(entry, "://")
		if !ok || scheme != "http" && scheme != "https" {
			return nil, fmt.Errorf("playwright: Origins: %q does not begin with https:// or http://", entry)
		}
		l, err := policies.NewHostList([]string{strings.TrimSuffix(host, "/")}, scheme)
		if err != nil {
			return nil, fmt.Errorf("playwright: Origins: %w", err)
		}
		o = append(o, l)
	}
	if list != nil && o == nil {
		return nil, errors.New("playwright: Origins: the list is empty: nothing could be opened")
	}
	return o, nil
}

// problem says why a URL may not be opened, "" if it may.
func (o origins) problem(url string) string {
	if scheme, _, _ := strings.Cut(url, ":"); !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "the URL must begin with https:// or http://"
	}
	if o == nil {
		switch u, err := neturl.Parse(url); {
		case err != nil || u.Host == "":
			return "the URL cannot be read"
		case u.User != nil: // people read that for the host
			return "the URL has a user in front of its host"
		}
		return ""
	}
	reason := "is not of an origin on the list"
	for _, l := range o {
		switch problem := l.Problem(url); {
		case problem == "":
			return ""
		case len(o) == 1:
			reason = problem
		}
	}
	return "the URL " + reason
}

// elsewhere reports whether an open page is not of the origins. The browser wrote its
// URL, so there is one way to read it.
func (o origins) elsewhere(url string) bool {
	url = withoutQuery(url)
	return o != nil && !nowhere(url) && o.problem(url) != ""
}

// astray says why a link may not be followed, "" if it may: a request to its address can carry away
// what was read. Only addresses of the web are judged here.
func (o origins) astray(page string, n *node) string {
	if o == nil || n.url == "" {
		return ""
	}
	base, err := neturl.Parse(page)
	if err != nil {
		return "where the link leads cannot be read"
	}
	to, err := base.Parse(n.url)
	if err != nil {
		return "where the link leads cannot be read"
	}
	if (to.Scheme == "http" || to.Scheme == "https") && o.elsewhere(to.String()) {
		return "the link leads to " + cut(to.Scheme+"://"+to.Host, maxURL) + ", which is not on the list of origins"
	}
	return ""
}

// hides reports whether the words of a tab may not be shown. The title and the address can both have what
// looks like the border between them: then the address is not known.
func (o origins) hides(t tab) bool {
	return o != nil && (o.elsewhere(t.url) || blankPage(t.url) && t.title != "" || strings.Contains(t.url, "]("))
}

const blank = "about:blank"

// blankPage reports whether a URL is that of an empty page, or was when it was opened.
func blankPage(url string) bool {
	url = withoutQuery(url)
	return url == blank || url == ""
}

// nowhere reports whether a URL is one of the browser's own pages.
func nowhere(url string) bool { return blankPage(url) || strings.HasPrefix(url, "chrome-error://") }

func withoutQuery(url string) string {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		return url[:end]
	}
	return url
}

// brief is a URL without its query, for a text.
func brief(url string) string {
	short := withoutQuery(url)
	if short != url {
		short += "…"
	}
	return cut(short, maxURL)
}
