package playwright

import (
	"crypto/sha256"
	"fmt"
	"regexp"

	"github.com/agentfsm/agentfsm/desktop"
)

// control is what must be the same when it is acted on.
type control struct{ typ, name, about string }

// note remembers what a control belongs to: of a link where it leads, of others the
// row or the item of a list that they are in. Pages that show a list anew keep the
// elements and write other texts into them, so a button can come to be another row's.
func (o *outline) note(n *node) {
	if o.about[n.ref] = n.url; n.url == "" {
		o.about[n.ref] = o.within
	}
}

// item is the text of a row or a list item without what is in its fields: filling one
// in does not make another row of it.
func (o *outline) item(n *node) string {
	o.bare = true
	defer func() { o.bare = false }()
	return cut(o.text(n), maxWithin)
}

// named collects the controls that can be acted on.
func named(list []desktop.Control, about map[string]string, into map[string]control) {
	for _, c := range list {
		into[c.ID] = control{typ: c.Type, name: c.Name, about: about[refOf(c.ID)]}
		named(c.Children, about, into)
	}
}

// ids are what elements are called in what is shown: their refs, as long as these
// mean one thing. The server gives an element another ref when its role or name
// changes. It keeps the ref when the page becomes another by script, or the row
// around the element does. An approval of an act on "e7" is of what that was then, so
// the element gets another id: e7v2.
type ids struct {
	known map[string]labelled // by ref
	count int                 // of ids that are no refs
}

type labelled struct {
	meaning [sha256.Size]byte
	id      string
}

// label replaces the refs in controls by the ids that they are shown with.
func (l *ids) label(list []desktop.Control, s *sight, about map[string]string) {
	for i := range list {
		if ref := list[i].ID; refForm.MatchString(ref) {
			list[i].ID = l.id(ref, sha256.Sum256(fmt.Appendf(nil, "%d %q %s", s.tab, s.url, about[ref])))
		}
		l.label(list[i].Children, s, about)
	}
}

func (l *ids) id(ref string, meaning [sha256.Size]byte) string {
	was, known := l.known[ref]
	if known && was.meaning == meaning {
		return was.id
	}
	id := ref
	if known {
		l.count++
		id = fmt.Sprintf("%sv%d", ref, l.count+1)
	}
	l.known[ref] = labelled{meaning, id}
	return id
}

var idForm = regexp.MustCompile(`^((?:f[0-9]+)?e[0-9]+)(v[0-9]+)?$`)

// refOf returns the ref in an id that was shown, "" if there is none.
func refOf(id string) string {
	if m := idForm.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	return ""
}
