package jsonschema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

type compiler struct {
	document    any
	marksSecret bool             // anywhere in the document
	formats     []string         // that stand anywhere in the document
	nodes       map[string]*node // by pointer, so that a reference finds what is there already
	refs        []reference
	within      bool   // there is an $id below the top: what references in it mean is not known
	unchecked   string // the first pointer of a keyword that is not checked
}

// reference is a $ref that is looked up when the document has been read.
type reference struct {
	from *node
	to   string
}

// schema compiles what stands at the pointer at.
func (c *compiler) schema(v any, at string, depth int) (*node, error) {
	if n, ok := c.nodes[at]; ok {
		return n, nil
	}
	if depth > maxSchemaDepth {
		return nil, &CompileError{Pointer: at, Reason: fmt.Sprintf("is nested deeper than %d", maxSchemaDepth)}
	}
	n := &node{pointer: at}
	c.nodes[at] = n
	switch v := v.(type) {
	case bool:
		n.never = !v
		return n, nil
	case map[string]any:
		for _, keyword := range sortedKeys(v) {
			if err := c.keyword(n, v, keyword, depth+1); err != nil {
				return nil, err
			}
		}
		return n, nil
	default:
		return nil, &CompileError{Pointer: at, Reason: "must be an object or a boolean"}
	}
}

// hides reports whether any node may be secret. A document without a mark has none;
// one with a mark may have it where no value comes.
func (c *compiler) hides() bool {
	if c.marksSecret {
		return true
	}
	for _, n := range c.nodes {
		if n.secret {
			return true
		}
	}
	return false
}

// resolve looks up the references, those of their targets included. A place that is not
// in the document is a mistake; a reference of another kind is not checked.
func (c *compiler) resolve() error {
	for len(c.refs) > 0 {
		ref := c.refs[0]
		c.refs = c.refs[1:]
		pointer, local := strings.CutPrefix(ref.to, "#")
		local = local && (pointer == "" || pointer[0] == '/')
		var found place
		there := false
		if local && !c.within {
			found, there = c.follow(pointer)
		}
		if at := join(ref.from.pointer, "$ref"); !local || c.within {
			c.uncheck(ref.from, at)
			c.doubt(ref.from)
			continue
		} else if !there {
			return &CompileError{Pointer: at, Reason: fmt.Sprintf("refers to %q, which is not there", clip(ref.to))}
		}
		to, err := c.schema(found.value, found.at, strings.Count(found.at, "/"))
		if err != nil {
			return err
		}
		ref.from.refs = append(ref.from.refs, to)
	}
	return nil
}

// place is a value in a document, and where it stands.
type place struct {
	value any
	at    string
}

// follow follows a JSON Pointer, and spells it the way that compiler does.
func (c *compiler) follow(pointer string) (place, bool) {
	p := place{c.document, "#"}
	pointer, err := url.PathUnescape(pointer)
	if err != nil || pointer == "" {
		return p, err == nil
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		there := false
		switch v := p.value.(type) {
		case map[string]any:
			if id, ok := v["$id"].(string); ok && id != "" && p.at != "#" {
				c.within = true
			}
			p.value, there = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if there = err == nil && i >= 0 && i < len(v) && strconv.Itoa(i) == token; there {
				p.value = v[i]
			}
		}
		if !there || c.within {
			return place{}, false
		}
		p.at = join(p.at, token)
	}
	return p, true
}

// refuseLoops finds schemas that apply themselves to the same value again:
// checking would never end.
func (c *compiler) refuseLoops() error {
	const (
		open = iota + 1
		done
	)
	colour := map[*node]int{}
	var visit func(n *node) error
	visit = func(n *node) (err error) {
		switch colour[n] {
		case done:
			return nil
		case open:
			return &CompileError{Pointer: n.pointer, Reason: "refers to itself without end"}
		}
		colour[n] = open
		n.inPlace(func(child *node) {
			if err == nil {
				err = visit(child)
			}
		})
		colour[n] = done
		return err
	}
	for _, at := range sortedKeys(c.nodes) {
		if err := visit(c.nodes[at]); err != nil {
			return err
		}
	}
	return nil
}

// join appends a token to a pointer.
func join(at, token string) string {
	return at + "/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
