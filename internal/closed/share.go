package closed

import (
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// refSize is about what a reference costs, in bytes.
const refSize = len(`{"$ref":"#/$defs/a"}`)

// Share returns a schema in which each part that is there several times, and is longer than a
// reference, stands once, under $defs. A part of a part that is shared counts once.
func Share(v loosejson.Value) loosejson.Value {
	s := sharer{found: map[string]*shared{}}
	each(v, s.look)
	v = parts(v, s.replace)
	if len(s.named) == 0 {
		return v
	}
	defs := make([]loosejson.Member, len(s.named))
	for i, p := range s.named { // as they were named, whatever is in one another
		defs[i] = loosejson.Member{Name: defName(i), Value: p.body}
	}
	return with(v, "$defs", loosejson.Value{Kind: loosejson.Object, Members: defs})
}

type sharer struct {
	found map[string]*shared // parts by their text
	named []*shared
}

type shared struct {
	count, size int
	name        string
	body        loosejson.Value
}

// part finds what is known of a schema, nil for one with a single keyword: that is shorter than a reference.
func (s *sharer) part(v loosejson.Value) *shared {
	if len(v.Members) < 2 && !has(v, "anyOf") {
		return nil
	}
	text := string(v.Append(nil))
	if s.found[text] == nil {
		s.found[text] = &shared{size: len(text)}
	}
	return s.found[text]
}

// look counts a part, and what is in it the first time.
func (s *sharer) look(v loosejson.Value) {
	if p := s.part(v); p != nil {
		if p.count++; p.count == 1 {
			each(v, s.look)
		}
	}
}

func (s *sharer) replace(v loosejson.Value) loosejson.Value {
	p := s.part(v)
	if p == nil {
		return v
	}
	if p.count < 2 || (p.count-1)*p.size <= p.count*refSize+8 {
		return parts(v, s.replace)
	}
	if p.name == "" {
		p.name = defName(len(s.named))
		s.named = append(s.named, p)
		p.body = parts(v, s.replace)
	}
	return object(Ref, loosejson.Text("#/$defs/"+p.name))
}

// defName is a, b, … z, a1, b1, ….
func defName(i int) string {
	name := string(rune('a' + i%26))
	if i >= 26 {
		name += strconv.Itoa(i / 26)
	}
	return name
}

// each calls f with each schema that is directly in a schema.
func each(v loosejson.Value, f func(loosejson.Value)) {
	for i := range v.Members {
		m := &v.Members[i]
		switch m.Name {
		case "properties":
			for j := range m.Value.Members {
				f(m.Value.Members[j].Value)
			}
		case "anyOf":
			for j := range m.Value.Items {
				f(m.Value.Items[j])
			}
		case "items":
			f(m.Value)
		}
	}
}

// parts returns a copy of a schema with f of each schema that is directly in it.
func parts(v loosejson.Value, f func(loosejson.Value) loosejson.Value) loosejson.Value {
	v.Members = slices.Clone(v.Members)
	for i := range v.Members {
		m := &v.Members[i]
		switch m.Name {
		case "properties":
			m.Value.Members = slices.Clone(m.Value.Members)
			for j := range m.Value.Members {
				m.Value.Members[j].Value = f(m.Value.Members[j].Value)
			}
		case "anyOf":
			m.Value.Items = slices.Clone(m.Value.Items)
			for j := range m.Value.Items {
				m.Value.Items[j] = f(m.Value.Items[j])
			}
		case "items":
			m.Value = f(m.Value)
		}
	}
	return v
}
