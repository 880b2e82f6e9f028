package playwright

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// control is what must be the same when it is acted on.
type control struct{ typ, name, about string }

// note remembers what a control belongs to: of a link where it leads, of others the
// row or the item of a list that they are in. Pages that show a list anew keep the
// elements and write other texts into them, so a button can come to be another row's.
func (o *outline) note(n *node) {
	about := o.within
	if n.url != "" {
		about = n.url
	}
	if about == "" {
		return
	}
	if o.about == nil {
		o.about = map[string]string{}
	}
	o.about[n.ref] = about
}

// item is the text of a row or a list item without what is in its fields: filling one
// in does not make another row of it.
func (o *outline) item(n *node) string {
	o.bare = true
	defer func() { o.bare = false }()
	return clip(oneLine(o.text(n)), maxWithin)
}

// identity is what the control of an element is by now; false when it is none.
func (o *outline) identity(nodes []*node, ref string) (control, bool) {
	all := map[string]control{}
	list := o.list(nodes)
	named(list, o.about, all)
	is, ok := all[ref]
	return is, ok
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
// changes, and keeps it when the page becomes another by script, or its row does.
// Whoever approved an act on "e7" meant what that was then, so the element gets
// another id: e7v2.
type ids struct {
	known map[string]labelled // by ref
	count int                 // of ids that are no refs
	full  bool                // known was emptied once: each new id needs a number
}

type labelled struct {
	meaning [sha256.Size]byte
	id      string
}

// maxIDs bounds how many are remembered between two looks.
const maxIDs = 2 * maxNodes

// label gives controls that have a ref for an id the id that they are shown with.
func (l *ids) label(list []desktop.Control, s *sight, about map[string]string) {
	if len(l.known) > maxIDs {
		l.known, l.full = nil, true
	}
	if l.known == nil {
		l.known = map[string]labelled{}
	}
	where := fmt.Sprintf("%d %q ", s.tab, s.url)
	var each func([]desktop.Control)
	each = func(list []desktop.Control) {
		for i := range list {
			if ref := list[i].ID; refForm.MatchString(ref) {
				list[i].ID = l.id(ref, sha256.Sum256([]byte(where+about[ref])))
			}
			each(list[i].Children)
		}
	}
	each(list)
}

func (l *ids) id(ref string, meaning [sha256.Size]byte) string {
	was, known := l.known[ref]
	if known && was.meaning == meaning {
		return was.id
	}
	id := ref
	if known || l.full {
		l.count++
		id = fmt.Sprintf("%sv%d", ref, l.count+1)
	}
	l.known[ref] = labelled{meaning, id}
	return id
}

var idForm = regexp.MustCompile(`^(f[0-9]+)?e[0-9]+(v[0-9]+)?$`)

// refOf returns the ref in an id that was shown, "" when there is none.
func refOf(id string) string {
	if !idForm.MatchString(id) {
		return ""
	}
	ref, _, _ := strings.Cut(id, "v")
	return ref
}
