package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/agentfsm/agentfsm/internal/schemaof"
	"github.com/agentfsm/agentfsm/internal/spelling"
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
	bare   *reflect.StructField
}

var fieldCache sync.Map // reflect.Type to *fields; types are finite

func fieldsOf(typ reflect.Type) (*fields, error) {
	if cached, ok := fieldCache.Load(typ); ok {
		return cached.(*fields), nil
	}
	info := &fields{folded: make(map[string]int), others: othersField(typ), bare: findBare(typ)}
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

// find returns the index of the field that a name of a reply is for.
func (f *fields) find(name string) (int, bool) {
	var short [48]byte
	n, ok := f.folded[string(spelling.AppendFold(short[:0], name))]
	return n, ok
}

// fold is the form in which names are compared.
func fold(name string) string { return spelling.Fold(name) }
