package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/schemaof"
)

// field is one field of a struct as a reply sees it.
type field struct {
	schemaof.Field
	object  bool // type:"object": it must hold an object
	unasked bool // schema:"-": read where it stands, but no schema asks for it
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
	info := &fields{folded: make(map[string]int), others: othersField(typ)}
	for _, f := range schemaof.Fields(typ, fold) {
		if f.Anonymous && !f.IsExported() { // with a name of its own: nothing can set it
			continue
		}
		refuse := func(format string, args ...any) (*fields, error) {
			return nil, &schemaError{typ: typ.String(), field: f.Name, problem: fmt.Sprintf(format, args...)}
		}
		folded := fold(f.JSON)
		switch at, twice := info.folded[folded]; {
		case f.Unset != nil:
			return refuse("%v", f.Unset)
		case folded == "":
			return refuse("the name %q has no letter or digit", f.JSON)
		case twice:
			return refuse("the names %q and %q are one, because replies may spell them in any way", f.JSON, info.list[at].JSON)
		}
		info.folded[folded] = len(info.list)
		info.list = append(info.list, field{f, f.Tag.Get("type") == "object", f.Tag.Get("schema") == "-"})
	}
	for i, f := range info.list {
		for _, alias := range schemaof.Words(f.Tag.Get("alias")) {
			if at, ok := info.folded[fold(alias)]; ok && at != i {
				return nil, &schemaError{typ: typ.String(), field: f.Name,
					problem: fmt.Sprintf("the alias %q is also a name of %q", alias, info.list[at].JSON)}
			}
			info.folded[fold(alias)] = i
		}
	}
	cached, _ := fieldCache.LoadOrStore(typ, info)
	return cached.(*fields), nil
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
