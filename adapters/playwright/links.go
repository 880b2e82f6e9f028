package playwright

import neturl "net/url"

// astray says why a link may not be followed, "" when it may: its address is known
// before anything is requested, and can carry away what was read. Only addresses of the
// web are judged here; where a script leads nobody knows. What is inside a link is shown
// as the link.
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
		return "the link leads to " + clip(to.Scheme+"://"+to.Host, maxURL) + ", which is not on the list of origins"
	}
	return ""
}
