package closed

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// refSize is about what a reference costs, in bytes.
const refSize = len(`{"$ref":"#/$defs/a"}`)

// Share returns a schema in which each part that is there several times, and is longer than a
// reference, stands once, under $defs. A part of a part that is shared counts once.
func Share(v loosejson.Value) loosejson.Value {
	s := &sharer{count: map[string]int{}, names: map[string]string{}}
	parts(v, func(part loosejson.Value) loosejson.Value { return s.look(part) })
	v = parts(v, s.replace)
	if len(s.defs) == 0 {
		return v
	}
	slices.SortFunc(s.defs, func(a, b loosejson.Member) int { // as they were named, whatever is in one another
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return v.With("$defs", loosejson.Value{Kind: loosejson.Object, Members: s.defs})
}

type sharer struct {
	count map[string]int    // of the parts, by their text
	names map[string]string // of those that are shared
	defs  []loosejson.Member
}

// look counts a part, and what is in it the first time.
func (s *sharer) look(v loosejson.Value) loosejson.Value {
	text := string(v.Append(nil))
	if s.count[text]++; s.count[text] == 1 {
		parts(v, s.look)
	}
	return v
}

func (s *sharer) replace(v loosejson.Value) loosejson.Value {
	text := string(v.Append(nil))
	n := s.count[text]
	if n < 2 || (n-1)*len(text) <= n*refSize+8 {
		return parts(v, s.replace)
	}
	name, known := s.names[text]
	if !known {
		name = defName(len(s.names))
		s.names[text] = name
		s.defs = append(s.defs, loosejson.Member{Name: name, Value: parts(v, s.replace)})
	}
	return object(Ref, loosejson.Text("#/$defs/"+name))
}

// defName is a, b, … z, a1, b1, ….
func defName(i int) string {
	name := string(rune('a' + i%26))
	if i >= 26 {
		name += strconv.Itoa(i / 26)
	}
	return name
}

// parts returns a copy of a schema with f of each schema that is directly in it.
func parts(v loosejson.Value, f func(loosejson.Value) loosejson.Value) loosejson.Value {
	v.Members = slices.Clone(v.Members)
	for i, m := range v.Members {
		switch m.Name {
		case "properties":
			inner := slices.Clone(m.Value.Members)
			for j := range inner {
				inner[j].Value = f(inner[j].Value)
			}
			v.Members[i].Value.Members = inner
		case "anyOf":
			inner := slices.Clone(m.Value.Items)
			for j := range inner {
				inner[j] = f(inner[j])
			}
			v.Members[i].Value.Items = inner
		case "items":
			v.Members[i].Value = f(m.Value)
		}
	}
	return v
}
