package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// field is one field of a struct as a reply sees it.
type field struct {
	name     string // in JSON
	goName   string
	index    []int
	typ      reflect.Type
	desc     string
	enum     []string
	required bool
	object   bool // type:"object": it must hold an object
	unasked  bool // schema:"-": read where it stands, but no schema asks for it
}

// fields are those of one struct type, embedded ones included.
type fields struct {
	list   []field
	folded map[string]int // folded name or alias to index in list
	others []int          // index of the field for names that no field has; nil: none
}

var fieldCache sync.Map // reflect.Type to *fields; types are finite

func fieldsOf(typ reflect.Type) (*fields, error) {
	if cached, ok := fieldCache.Load(typ); ok {
		return cached.(*fields), nil
	}
	all, err := collect(typ, nil, nil)
	if err != nil {
		return nil, err
	}
	depth := make(map[string]int) // of a folded name: how far out its outermost field is
	for _, f := range all {
		if d, ok := depth[fold(f.name)]; !ok || len(f.index) < d {
			depth[fold(f.name)] = len(f.index)
		}
	}
	info := &fields{folded: make(map[string]int), others: othersField(typ)}
	aliases := make([][]string, 0, len(all))
	for _, f := range all {
		folded := fold(f.name)
		if len(f.index) > depth[folded] {
			continue // hidden by a field further out, as in Go
		}
		if at, ok := info.folded[folded]; ok {
			return nil, &schemaError{typ: typ.String(), field: f.goName,
				problem: fmt.Sprintf("the names %q and %q are one, because replies may spell them in any way", f.name, info.list[at].name)}
		}
		info.folded[folded] = len(info.list)
		info.list = append(info.list, f.field)
		aliases = append(aliases, f.aliases)
	}
	for i, names := range aliases {
		for _, alias := range names {
			if at, ok := info.folded[fold(alias)]; ok && at != i {
				return nil, &schemaError{typ: typ.String(), field: info.list[i].goName,
					problem: fmt.Sprintf("the alias %q is also a name of %q", alias, info.list[at].name)}
			}
			info.folded[fold(alias)] = i
		}
	}
	cached, _ := fieldCache.LoadOrStore(typ, info)
	return cached.(*fields), nil
}

type taggedField struct {
	field
	aliases []string
}

// collect lists the fields of typ in their order, embedded ones in the place
// of what embeds them.
func collect(typ reflect.Type, index []int, open []reflect.Type) ([]taggedField, error) {
	var list []taggedField
	for i := range typ.NumField() {
		sf := typ.Field(i)
		tag := sf.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" {
			continue
		}
		at := append(append([]int(nil), index...), i)
		elem := sf.Type
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		if sf.Anonymous && name == "" && elem.Kind() == reflect.Struct {
			if !sf.IsExported() && sf.Type.Kind() == reflect.Pointer {
				return nil, &schemaError{typ: typ.String(), field: sf.Name, problem: "an embedded pointer to an unexported struct cannot be filled"}
			}
			if elem == typ || slices.Contains(open, elem) {
				return nil, &schemaError{typ: typ.String(), field: sf.Name, problem: "it embeds itself"}
			}
			embedded, err := collect(elem, at, append(open, typ))
			if err != nil {
				return nil, err
			}
			list = append(list, embedded...)
			continue
		}
		if !sf.IsExported() {
			continue
		}
		if name == "" {
			name = sf.Name
		}
		if fold(name) == "" {
			return nil, &schemaError{typ: typ.String(), field: sf.Name, problem: fmt.Sprintf("the name %q has no letter or digit", name)}
		}
		f := taggedField{field: field{name: name, goName: sf.Name, index: at, typ: sf.Type, desc: sf.Tag.Get("desc"),
			required: sf.Type.Kind() != reflect.Pointer && !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero"),
			object:   sf.Tag.Get("type") == "object", unasked: sf.Tag.Get("schema") == "-"}}
		f.enum = splitTag(sf.Tag.Get("enum"))
		f.aliases = splitTag(sf.Tag.Get("alias"))
		list = append(list, f)
	}
	return list, nil
}

// othersField finds the field tagged others:"true".
func othersField(typ reflect.Type) []int {
	for f := range typ.Fields() {
		if f.Tag.Get("others") == "true" && f.Type == reflect.TypeFor[map[string]json.RawMessage]() {
			return f.Index
		}
	}
	return nil
}

func splitTag(tag string) []string {
	var words []string
	for w := range strings.SplitSeq(tag, ",") {
		if w = strings.TrimSpace(w); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// fold is the form in which names are compared: letters and digits, in lower
// case.
func fold(name string) string {
	plain := true
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
