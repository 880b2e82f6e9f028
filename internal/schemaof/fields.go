package schemaof

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Field is a field of a struct, or of a struct that is embedded in it.
type Field struct {
	reflect.StructField        // its Index leads there from the outermost struct
	JSON                string // its name: that of the field where the json tag has none
	Options             string // of the json tag
	Unset               error  // why nothing can be put into it
}

// Fields returns the fields of a struct that JSON has, in their order, those of an embedded
// struct in its place. As in encoding/json, one further out hides those of its name. same
// returns what names that are one have in common.
func Fields(typ reflect.Type, same func(name string) string) []Field {
	all := addFields(nil, typ, nil, nil, nil)
	outermost := make(map[string]int, len(all))
	for _, f := range all {
		if depth, ok := outermost[same(f.JSON)]; !ok || len(f.Index) < depth {
			outermost[same(f.JSON)] = len(f.Index)
		}
	}
	return slices.DeleteFunc(all, func(f Field) bool { return len(f.Index) > outermost[same(f.JSON)] })
}

func addFields(list []Field, typ reflect.Type, index []int, around []reflect.Type, unset error) []Field {
	if slices.Contains(around, typ) { // a struct in which a pointer to itself is embedded
		return list
	}
	around = append(slices.Clip(around), typ)
	for f := range typ.Fields() {
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		elem, why := f.Type, unset
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		embedded := f.Anonymous && elem.Kind() == reflect.Struct
		if embedded && elem != f.Type && !f.IsExported() {
			why = fmt.Errorf("nothing can set a pointer to %v, which is not exported: embed the struct itself", elem)
		}
		f.Index = append(slices.Clip(index), f.Index...)
		switch {
		case tag == "-", !f.IsExported() && !embedded:
			continue
		case embedded && name == "":
			list = addFields(list, elem, f.Index, around, why)
			continue
		case name == "":
			name = f.Name
		}
		list = append(list, Field{StructField: f, JSON: name, Options: options, Unset: why})
	}
	return list
}

// Words are those of a tag: a list with commas.
func Words(tag string) []string {
	var words []string
	for w := range strings.SplitSeq(tag, ",") {
		if w = strings.TrimSpace(w); w != "" {
			words = append(words, w)
		}
	}
	return words
}
