package jsonschema

import (
	"maps"
	"slices"
)

// Place is a place in a value, with what a schema says of it there: under any of the
// schemas that may apply, whether the value fits or not. Places of one value are used
// by one goroutine.
type Place struct {
	run   *run
	own   []*node  // that the value around it has for it
	all   []*node  // and what those combine
	doubt []string // formats under a keyword around it that is not understood
}

// Place returns the place of a whole value.
func (s *Schema) Place() *Place {
	return newPlace(&run{closures: map[*node][]*node{s.root: s.whole}, namesDoubt: s.names}, []*node{s.root}, nil)
}

func newPlace(r *run, own []*node, doubt []string) *Place {
	p := &Place{run: r, own: own, doubt: doubt}
	if len(own) == 1 {
		p.all = r.closure(own[0])
	} else {
		seen := map[*node]bool{}
		for _, n := range own {
			for _, applied := range r.closure(n) {
				if !seen[applied] {
					seen[applied] = true
					p.all = append(p.all, applied)
				}
			}
		}
	}
	for _, n := range p.all {
		if len(n.doubt) > 0 && r.spend(len(n.doubt)+len(p.doubt)) {
			p.doubt = sorted(slices.Concat(p.doubt, n.doubt))
		}
	}
	r.spend(1 + len(p.all) + len(p.doubt))
	return p
}

// closure is that of a node, found once.
func (r *run) closure(n *node) []*node {
	if known, ok := r.closures[n]; ok {
		return known
	}
	found := n.closure()
	r.spend(len(found))
	r.closures[n] = found
	return found
}

// closure returns a schema and all that it applies to the same value.
func (n *node) closure() []*node {
	found, seen := []*node{n}, map[*node]bool{n: true}
	for i := 0; i < len(found); i++ {
		found[i].inPlace(func(child *node) {
			if !seen[child] {
				seen[child] = true
				found = append(found, child)
			}
		})
	}
	return found
}

// sorted returns words once each.
func sorted(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// Formats returns the formats that the value may have, in lower case.
func (p *Place) Formats() []string {
	formats := slices.Clone(p.doubt)
	for _, n := range p.all {
		if n.format != "" {
			formats = append(formats, n.format)
		}
	}
	return sorted(formats)
}

// Admits reports whether a value of one of these types may be here.
func (p *Place) Admits(types ...string) bool {
	var k kinds
	for i, name := range kindNames {
		if slices.Contains(types, name) {
			k |= 1 << i
		}
	}
	return slices.ContainsFunc(p.own, func(n *node) bool { return p.run.admits(n, k) })
}

func (r *run) admits(n *node, k kinds) bool {
	if !r.spend(1) || n.never || n.types != 0 && n.types&k == 0 {
		return false
	}
	may := func(child *node) bool { return r.admits(child, k) }
	for _, list := range [][]*node{n.refs, n.allOf} {
		for _, child := range list {
			if !may(child) {
				return false
			}
		}
	}
	for _, list := range [][]*node{n.anyOf, n.oneOf} {
		if len(list) > 0 && !slices.ContainsFunc(list, may) {
			return false
		}
	}
	return true
}

// Names reports whether the schema has a property of that name.
func (p *Place) Names(property string) bool {
	return slices.ContainsFunc(p.all, func(n *node) bool { return n.properties[property] != nil })
}

// Properties returns the names of the properties that the schema has, and whether there
// may be others: it allows some, or says nothing of any.
func (p *Place) Properties() (names []string, others bool) {
	said := false
	for _, n := range p.all {
		names = append(slices.AppendSeq(names, maps.Keys(n.properties)), n.required...)
		closed := n.additional != nil && n.additional.never
		said = said || n.properties != nil || closed
		others = others || n.unchecked || len(n.patternProperties) > 0 || n.additional != nil && !closed
	}
	return sorted(names), others || !said || p.Lost()
}

// Property returns the place of a property.
func (p *Place) Property(name string) *Place {
	return p.below(func(n *node, add func(*node)) {
		p.run.spend(len(n.patternProperties))
		n.eachProperty(name, true, add)
	})
}

// Name returns the place of the names of properties, of which only propertyNames says
// something. Where it stands in what is not understood, names are in doubt, too.
func (p *Place) Name() *Place {
	name := *p
	if !p.run.namesDoubt {
		name.doubt = nil
	}
	return name.below(func(n *node, add func(*node)) { add(n.propertyNames) })
}

// Item returns the place of the item i.
func (p *Place) Item(i int) *Place {
	return p.below(func(n *node, add func(*node)) { add(n.item(i)) })
}

func (p *Place) below(each func(n *node, add func(*node))) *Place {
	var own []*node
	if !p.run.exhausted {
		for _, n := range p.all {
			each(n, func(child *node) {
				if child != nil && !slices.Contains(own, child) {
					own = append(own, child)
				}
			})
		}
	}
	return newPlace(p.run, own, p.doubt)
}

// Lost reports that there was too much to look at, so that what places say is void.
func (p *Place) Lost() bool { return p.run.exhausted }
