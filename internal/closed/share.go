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
	return v.With("$defs", loosejson.Value{Kind: loosejson.Object, Members: defs})
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

// defName is a, b, … z, 10, 11, ….
func defName(i int) string { return strconv.FormatInt(int64(10+i), 36) }

// each calls f with each schema that is directly in a schema.
func each(v loosejson.Value, f func(loosejson.Value)) {
	parts(v, func(part loosejson.Value) loosejson.Value {
		f(part)
		return part
	})
}

// parts returns a copy of a schema with f of each schema that is directly in it.
func parts(v loosejson.Value, f func(loosejson.Value) loosejson.Value) loosejson.Value {
	v.Members = slices.Clone(v.Members)
	for i := range v.Members {
		inner := &v.Members[i].Value
		switch v.Members[i].Name {
		case "properties":
			inner.Members = slices.Clone(inner.Members)
			for j := range inner.Members {
				inner.Members[j].Value = f(inner.Members[j].Value)
			}
		case "anyOf":
			inner.Items = slices.Clone(inner.Items)
			for j := range inner.Items {
				inner.Items[j] = f(inner.Items[j])
			}
		case "items":
			*inner = f(*inner)
		}
	}
	return v
}
