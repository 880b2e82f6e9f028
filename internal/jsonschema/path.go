package jsonschema

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Path leads to a place in a value: names of properties (string) and indexes
// of items (int). The empty path is the value itself.
type Path []any

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// String writes a path as "$.rows[2].name", without names that are long.
func (p Path) String() string { return p.write(clip) }

// full writes a path so that no two are written the same.
func (p Path) full() string { return p.write(func(s string) string { return s }) }

func (p Path) write(name func(string) string) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, step := range p {
		switch step := step.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(step) + "]")
		case string:
			if step = name(step); plainName.MatchString(step) {
				b.WriteString("." + step)
			} else {
				b.WriteString("[" + strconv.Quote(step) + "]")
			}
		}
	}
	return b.String()
}

// path is a Path under way: made for every value, written for few.
type path struct {
	parent *path
	name   string
	at     int // of an item; -1: it is a property
}

func (p *path) key(name string) *path { return &path{p, name, -1} }
func (p *path) index(i int) *path     { return &path{p, "", i} }

// path copies, so that a path may stay on the stack.
func (p *path) path() Path {
	out := Path{}
	for ; p != nil; p = p.parent {
		if p.at < 0 {
			out = append(out, strings.Clone(p.name))
		} else {
			out = append(out, p.at)
		}
	}
	slices.Reverse(out)
	return out
}

func (p *path) String() string { return p.path().String() }

// decimal writes a number of a schema for people.
func decimal(r *big.Rat) string {
	places, _ := r.FloatPrec() // exact: JSON has only decimals
	return clip(r.FloatString(places))
}
