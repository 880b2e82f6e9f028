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
	s := &sharer{found: make(map[string]int, 64), all: make([]shared, 0, 64), text: make([]byte, 0, 4<<10)}
	s.looks, s.replaces = s.look, s.replace // once: each takes memory
	each(v, s.looks)
	v = parts(v, s.replaces)
	if s.named == 0 {
		return v
	}
	defs := make([]loosejson.Member, s.named)
	for i := range s.all { // as they were named, whatever is in one another
		if p := &s.all[i]; p.name > 0 {
			defs[p.name-1] = loosejson.Member{Name: defName(p.name - 1), Value: p.body}
		}
	}
	return with(v, "$defs", loosejson.Value{Kind: loosejson.Object, Members: defs})
}

type sharer struct {
	text  []byte         // of the part that is looked at
	found map[string]int // parts by their text, as indexes of all
	all   []shared
	named int

	looks    func(loosejson.Value)
	replaces func(loosejson.Value) loosejson.Value
}

type shared struct {
	count, size int
	name        int // from 1; 0: none
	body        loosejson.Value
}

// part finds what is known of a schema. One with a single keyword is shorter than a reference.
func (s *sharer) part(v loosejson.Value) (int, bool) {
	if len(v.Members) < 2 && !has(v, "anyOf") {
		return 0, false
	}
	s.text = v.Append(s.text[:0])
	i, known := s.found[string(s.text)]
	if !known {
		i = len(s.all)
		s.found[string(s.text)] = i
		s.all = append(s.all, shared{size: len(s.text)})
	}
	return i, true
}

// look counts a part, and what is in it the first time.
func (s *sharer) look(v loosejson.Value) {
	i, ok := s.part(v)
	if !ok {
		return
	}
	if s.all[i].count++; s.all[i].count == 1 {
		each(v, s.looks)
	}
}

func (s *sharer) replace(v loosejson.Value) loosejson.Value {
	i, ok := s.part(v)
	if !ok {
		return v
	}
	if n := s.all[i].count; n < 2 || (n-1)*s.all[i].size <= n*refSize+8 {
		return parts(v, s.replaces)
	}
	if s.all[i].name == 0 {
		s.named++
		s.all[i].name = s.named
		body := parts(v, s.replaces)
		s.all[i].body = body
	}
	if n := s.all[i].name - 1; n < len(defRefs) {
		return defRefs[n]
	}
	return object(Ref, loosejson.Text("#/$defs/"+defName(s.all[i].name-1)))
}

// defRefs are the first references. Most schemas have no others.
var defRefs = func() (list [26]loosejson.Value) {
	for i := range list {
		list[i] = object(Ref, loosejson.Text("#/$defs/"+defName(i)))
	}
	return list
}()

// defName is a, b, … z, a1, b1, ….
func defName(i int) string {
	name := "abcdefghijklmnopqrstuvwxyz"[i%26 : i%26+1]
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
