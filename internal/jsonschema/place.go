package jsonschema

import (
	"slices"
	"strings"
)

// Hide returns a copy of the value with mask in place of each secret, and the secrets: values that
// may be writeOnly or of the format password, whether they fit or not. If that takes too much work,
// the whole value is secret.
func (s *Schema) Hide(value, mask any) (masked any, secrets []any) {
	root := s.Place()
	masked = root.hide(value, mask, &secrets)
	if root.Lost() {
		return mask, []any{value}
	}
	return masked, secrets
}

func (p *Place) hide(v, mask any, secrets *[]any) any {
	object, _ := v.(map[string]any)
	if p.Lost() || p.secret() || len(object) > 0 && p.Name().secret() { // a name has no place of its own
		*secrets = append(*secrets, v)
		return mask
	}
	switch v := v.(type) {
	case map[string]any:
		masked := make(map[string]any, len(v))
		for name, item := range v {
			masked[name] = p.Property(name).hide(item, mask, secrets)
		}
		return masked
	case []any:
		masked := make([]any, len(v))
		items := p.Item()
		for i, item := range v {
			p.run.spend(1 + len(items.all))
			masked[i] = items.hide(item, mask, secrets)
		}
		return masked
	}
	return v
}

func (p *Place) secret() bool {
	return slices.ContainsFunc(p.all, func(n *node) bool { return n.secret })
}

// Place is a place in a value, with each schema that may apply to it, whether the value fits or
// not. One goroutine uses the places of a value.
type Place struct {
	run   *run
	own   []*node  // the schemas that the value around it has for it
	all   []*node  // and what those combine
	doubt []string // formats under a keyword around it that is not checked
}

// Place returns the place of a whole value.
func (s *Schema) Place() *Place { return newPlace(&run{names: s.names}, []*node{s.root}, nil) }

func newPlace(r *run, own []*node, doubt []string) *Place {
	p := &Place{run: r, own: slices.DeleteFunc(own, func(n *node) bool { return n == nil }), doubt: doubt}
	seen := map[*node]bool{}
	var add func(list []*node)
	add = func(list []*node) {
		for _, n := range list {
			if seen[n] {
				continue
			}
			seen[n] = true
			p.all = append(p.all, n)
			if len(n.doubt) > 0 && r.spend(len(n.doubt)+len(p.doubt)) {
				p.doubt = slices.Concat(p.doubt, n.doubt)
			}
			add(n.inPlace())
		}
	}
	add(p.own)
	r.spend(1 + len(p.all) + len(p.doubt))
	return p
}

// Lost reports that there was too much to look at, so that what places say is void.
func (p *Place) Lost() bool { return p.run.exhausted() }

// Formats returns the formats that the value may have, in lower case.
func (p *Place) Formats() []string {
	formats := slices.Clone(p.doubt)
	for _, n := range p.all {
		if n.format != "" {
			formats = append(formats, n.format)
		}
	}
	slices.Sort(formats)
	return slices.Compact(formats)
}

// Admits reports whether a value of one of these types may be here.
func (p *Place) Admits(types ...string) bool {
	return slices.ContainsFunc(p.own, func(n *node) bool { return p.run.admits(n, types) })
}

func (r *run) admits(n *node, types []string) bool {
	if !r.spend(1) || n.never || !slices.ContainsFunc(types, n.takes) {
		return false
	}
	may := func(child *node) bool { return r.admits(child, types) }
	mayNot := func(child *node) bool { return !may(child) }
	return !slices.ContainsFunc(n.allOf, mayNot) &&
		(len(n.anyOf) == 0 || slices.ContainsFunc(n.anyOf, may)) && (len(n.oneOf) == 0 || slices.ContainsFunc(n.oneOf, may))
}

// Names reports whether the schema has a property of that name.
func (p *Place) Names(property string) bool {
	return slices.ContainsFunc(p.all, func(n *node) bool { return n.properties[property] != nil })
}

// Property returns the place of a property. A name also counts as that of a property in another
// case of letters: encoding/json, which many tools use, reads it so.
func (p *Place) Property(name string) *Place {
	return p.below(p.doubt, func(n *node) []*node {
		own := []*node{n.property(name)}
		if n.properties[name] == nil && p.run.spend(len(n.properties)) {
			for known, child := range n.properties {
				if strings.EqualFold(known, name) {
					own = append(own, child)
				}
			}
		}
		return own
	})
}

// Name returns the place of the names of properties, which only propertyNames describes.
func (p *Place) Name() *Place {
	doubt := p.doubt
	if !p.run.names {
		doubt = nil
	}
	return p.below(doubt, func(n *node) []*node { return []*node{n.propertyNames} })
}

// Item returns the place of the items of a list.
func (p *Place) Item() *Place {
	return p.below(p.doubt, func(n *node) []*node { return []*node{n.items} })
}

func (p *Place) below(doubt []string, each func(n *node) []*node) *Place {
	var own []*node
	for _, n := range p.all {
		own = append(own, each(n)...)
	}
	return newPlace(p.run, own, doubt)
}
