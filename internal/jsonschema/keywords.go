package jsonschema

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// keyword reads one keyword of the schema object.
func (c *compiler) keyword(n *node, object map[string]any, name string, depth int) (err error) {
	v, at := object[name], join(n.pointer, name)
	switch name {
	case "type":
		n.types, err = readTypes(v, at)
	case "enum":
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			return &CompileError{Pointer: at, Reason: "must be a list of values"}
		}
		n.choices, err = newChoices(list, at)
	case "const":
		n.only, err = newChoices([]any{v}, at)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		if _, older := v.(bool); older && strings.HasPrefix(name, "exclusive") { // of draft 4, beside its bound
			c.uncheck(n, at)
		} else {
			err = n.readBound(v, name, at)
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		*n.count(name), err = readCount(v, at)
	case "uniqueItems":
		n.unique, err = readBool(v, at)
	case "pattern":
		var text string
		if text, err = readString(v, at); err == nil {
			n.pattern = c.readPattern(n, text, at)
		}
	case "required":
		n.required, err = readNames(v, at)
	case "writeOnly":
		var secret bool
		secret, err = readBool(v, at)
		n.secret = n.secret || secret
	case "format":
		n.secret = n.secret || isPassword(v)
		if format, ok := v.(string); ok {
			n.format = strings.ToLower(format)
		}
	case "$ref":
		var to string
		to, err = readString(v, at)
		c.refs = append(c.refs, reference{n, to})
	case "$id":
		if n.pointer != "#" { // what references below it mean depends on it
			c.within = true
			c.uncheck(n, at)
		}
	case "contains", "dependencies", "dependentRequired", "dependentSchemas", "if", "unevaluatedItems", "unevaluatedProperties":
		c.uncheck(n, at)
		c.doubtKeyword(n, v)
	case "$dynamicRef", "$recursiveRef":
		c.uncheck(n, at)
		c.doubt(n)
	case "$defs", "definitions", "default", "examples": // for references, or data
	default:
		err = c.applicator(n, object, name, depth)
	}
	return err
}

// applicator reads a keyword that holds schemas. What is unknown is an
// annotation.
func (c *compiler) applicator(n *node, object map[string]any, name string, depth int) (err error) {
	v, at := object[name], join(n.pointer, name)
	one := func(v any, at string) (*node, error) { return c.schema(v, at, depth) }
	list := func(v any, at string) ([]*node, error) { return readList(v, at, one) }
	switch name {
	case "properties":
		n.properties, err = readEach(v, at, one)
	case "patternProperties":
		var each map[string]*node
		each, err = readEach(v, at, one)
		for _, text := range sortedKeys(each) {
			n.patternProperties = append(n.patternProperties, patternNode{c.readPattern(n, text, at), each[text]})
		}
	case "additionalProperties":
		n.additional, err = one(v, at)
	case "propertyNames":
		n.propertyNames, err = one(v, at)
	case "prefixItems":
		n.prefix, err = list(v, at)
	case "items":
		if _, older := v.([]any); older {
			if object["prefixItems"] != nil { // which wins
				c.doubtKeyword(n, v)
			}
			n.prefix, err = list(v, at)
		} else {
			n.items, err = one(v, at)
		}
	case "additionalItems":
		if _, older := object["items"].([]any); older {
			n.items, err = one(v, at)
		} else {
			c.doubtKeyword(n, v)
		}
	case "allOf":
		n.allOf, err = list(v, at)
	case "anyOf":
		n.anyOf, err = list(v, at)
	case "oneOf":
		n.oneOf, err = list(v, at)
	case "not":
		n.not, err = one(v, at)
	default:
		c.doubtKeyword(n, v)
	}
	return err
}

func (n *node) count(name string) **int {
	return map[string]**int{
		"minLength": &n.minLength, "maxLength": &n.maxLength, "minItems": &n.minItems, "maxItems": &n.maxItems,
		"minProperties": &n.minProperties, "maxProperties": &n.maxProperties,
	}[name]
}

// readBound reads a keyword for numbers.
func (n *node) readBound(v any, name, at string) error {
	bound, err := readNumber(v, at)
	if err != nil {
		return err
	}
	switch name {
	case "minimum":
		n.minimum = bound
	case "maximum":
		n.maximum = bound
	case "exclusiveMinimum":
		n.above = bound
	case "exclusiveMaximum":
		n.below = bound
	case "multipleOf":
		if bound.Sign() <= 0 {
			return &CompileError{Pointer: at, Reason: "must be above 0"}
		}
		n.multipleOf = bound
	}
	return nil
}

func readTypes(v any, at string) (kinds, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var types kinds
	for _, item := range list {
		name, _ := item.(string)
		i := slices.Index(kindNames, name)
		if i < 0 {
			return 0, &CompileError{Pointer: at, Reason: "must be one of " + strings.Join(kindNames, ", ") + ", or a list of those"}
		}
		types |= 1 << i
	}
	if types == 0 {
		return 0, &CompileError{Pointer: at, Reason: "must not be empty"}
	}
	return types, nil
}

func readNumber(v any, at string) (*big.Rat, error) {
	if number, ok := v.(json.Number); ok {
		if r, ok := rational(string(number)); ok {
			return r, nil
		}
	}
	return nil, &CompileError{Pointer: at, Reason: "must be a number of a sane size"}
}

func readCount(v any, at string) (*int, error) {
	r, err := readNumber(v, at)
	if err != nil || !r.IsInt() || r.Sign() < 0 {
		return nil, &CompileError{Pointer: at, Reason: "must be a whole number, 0 or more"}
	}
	n := math.MaxInt
	if r.Num().IsInt64() && r.Num().Int64() < math.MaxInt {
		n = int(r.Num().Int64())
	}
	return &n, nil
}

func readBool(v any, at string) (bool, error) {
	b, ok := v.(bool)
	if !ok {
		return false, &CompileError{Pointer: at, Reason: "must be true or false"}
	}
	return b, nil
}

func readString(v any, at string) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", &CompileError{Pointer: at, Reason: "must be a string"}
	}
	return s, nil
}

func readNames(v any, at string) ([]string, error) { return readList(v, at, readString) }

func readList[T any](v any, at string, read func(any, string) (T, error)) ([]T, error) {
	items, ok := v.([]any)
	if !ok {
		return nil, &CompileError{Pointer: at, Reason: "must be a list"}
	}
	out := make([]T, len(items))
	for i, item := range items {
		var err error
		if out[i], err = read(item, join(at, strconv.Itoa(i))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readEach[T any](v any, at string, read func(any, string) (T, error)) (map[string]T, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, &CompileError{Pointer: at, Reason: "must be an object"}
	}
	out := make(map[string]T, len(object))
	for _, name := range sortedKeys(object) {
		var err error
		if out[name], err = read(object[name], join(at, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
