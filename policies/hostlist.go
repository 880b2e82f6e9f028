package policies

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// HostList is a list of hosts. It never changes and is safe for concurrent use.
type HostList struct {
	entries []hostEntry
	schemes []string
}

type hostEntry struct {
	name string     // in lower case; behind "*." the domain, with its dot in front
	addr netip.Addr // of an entry that is an address
	port string     // "": that of the scheme; "*": every one
	wild bool
}

// NewHostList returns the list of these hosts. A host is a name ("example.com"), an address ("127.0.0.1", "[::1]"), or
// a domain with every name under it but not itself ("*.example.com"). A port after a colon is the one that may be used,
// and "*" is every port; without it the port is that of the scheme. Names are written in ASCII: other letters as xn--….
// An entry that is none of this is an error.
//
// schemes, in lower case, are those that a URL may have. None: https and http. Of a scheme
// without a host, such as about, every URL may be used.
func NewHostList(hosts []string, schemes ...string) (*HostList, error) {
	l := &HostList{schemes: []string{"https", "http"}}
	if len(schemes) > 0 {
		l.schemes = slices.Clone(schemes)
	}
	for _, scheme := range l.schemes {
		if !schemeName.MatchString(scheme) {
			return nil, listError("schemes", scheme, "is no scheme in lower case")
		}
	}
	for _, host := range hosts {
		name, port := splitPort(host)
		e := hostEntry{port: port}
		if domain, wild := strings.CutPrefix(name, "*"); wild && strings.HasPrefix(domain, ".") {
			e.wild, name = true, domain[1:]
		}
		var problem string
		if e.name, e.addr, problem = canonical(name); problem == "" && e.wild && e.addr.IsValid() {
			problem = "has a * before an address"
		}
		if port != "" && port != "*" {
			if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
				problem = "has no port that can be read"
			}
		}
		if problem != "" {
			return nil, listError("hosts", host, problem)
		}
		if e.wild {
			e.name = "." + e.name
		}
		l.entries = append(l.entries, e)
	}
	return l, nil
}

// Problem says why a URL may not be used, "" when its scheme, host and port are on the list. A host without a scheme is
// taken for one of the first scheme. Refused is also what readers of URLs read differently: a user name in front of the
// host, a backslash, blanks, characters that are not ASCII in the host, and addresses in other forms than their usual
// one. The text does not quote the URL.
func (l *HostList) Problem(text string) string {
	switch {
	case text == "":
		return "is empty"
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || invisible(r) }):
		return "has blanks or characters that nobody sees"
	case strings.Contains(text, `\`):
		return "has a backslash"
	case strings.HasPrefix(text, "/"):
		return "has no scheme"
	}
	if bareHost.MatchString(text) {
		if len(l.schemes) == 0 {
			return "has no scheme"
		}
		text = l.schemes[0] + "://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return "cannot be read"
	}
	if !slices.Contains(l.schemes, u.Scheme) { // url.Parse has lowered it
		return "has a scheme that is not on the list"
	}
	switch {
	case u.User != nil, strings.Contains(u.Host, "@"):
		return "has a user in front of its host"
	case u.Host == "" && (defaultPorts[u.Scheme] != "" || strings.HasPrefix(u.Path, "/")):
		return "has no host"
	case u.Host == "":
		return "" // about:blank
	}
	return l.host(u)
}

func (l *HostList) host(u *url.URL) string {
	name, addr, problem := canonical(u.Hostname())
	if problem != "" {
		return problem
	}
	port := u.Port()
	if port == "" {
		port = defaultPorts[u.Scheme]
	}
	known := false
	for _, e := range l.entries {
		if !e.matches(name, addr) {
			continue
		}
		known = true
		if e.port == "*" || e.port == port || e.port == "" && port == defaultPorts[u.Scheme] {
			return ""
		}
	}
	if known {
		return "has a port that is not on the list"
	}
	return "has a host that is not on the list"
}

func (e hostEntry) matches(name string, addr netip.Addr) bool {
	switch {
	case e.addr.IsValid() || addr.IsValid():
		return e.addr == addr
	case e.wild:
		return strings.HasSuffix(name, e.name) && len(name) > len(e.name)
	}
	return name == e.name
}

var (
	schemeName = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)
	hostName   = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)
	numberLike = regexp.MustCompile(`^(0x[0-9a-f]*|[0-9]+)$`)
	// bareHost is a host without a scheme. What has letters and a colon in front of
	// something else than a port is a scheme.
	bareHost     = regexp.MustCompile(`^([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?([/?#].*)?$`)
	defaultPorts = map[string]string{"https": "443", "http": "80", "wss": "443", "ws": "80", "ftp": "21"}
)

// canonical returns a host as it is compared: a name in lower case without the dot at its end, or an address.
func canonical(host string) (name string, addr netip.Addr, problem string) {
	name = lower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	for _, r := range name {
		if r > 0x7e {
			return "", addr, "has a host that is not written in ASCII"
		}
	}
	if a, err := netip.ParseAddr(name); err == nil {
		if a.Zone() != "" {
			return "", addr, "has an address with a zone"
		}
		return name, a.Unmap(), ""
	}
	if !hostName.MatchString(name) {
		return "", addr, "has no host that can be read"
	}
	// 127.1, 2130706433 and 0x7f.1 are addresses for many readers (WHATWG URL).
	if last := name[strings.LastIndexByte(name, '.')+1:]; numberLike.MatchString(last) {
		return "", addr, "has an address in an unusual form"
	}
	return name, addr, ""
}

// splitPort cuts the port of an entry off.
func splitPort(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") || strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
		return host, "" // no port, or an address of IPv6
	}
	if i+1 == len(host) {
		return host, "" // an empty port: canonical refuses the colon
	}
	return host[:i], host[i+1:]
}
