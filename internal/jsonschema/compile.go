package jsonschema

import (
	"fmt"
	"slices"
	"strings"
)

type compiler struct {
	names       *names
	marksSecret bool             // anywhere in the document
	nodes       map[string]*node // by pointer, so that a reference finds what is there already
	refs        []reference
}

// reference is a $ref or $dynamicRef that is looked up when the document has
// been read.
type reference struct {
	from    *node
	keyword string
	to      string
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

// resolve looks up the references, those of their targets included. A place
// that is not in the document is a mistake; any other reference that cannot be
// followed restricts nothing.
func (c *compiler) resolve() error {
	for len(c.refs) > 0 {
		ref := c.refs[0]
		c.refs = c.refs[1:]
		found, ok := c.names.find(ref)
		if !ok {
			if ref.keyword == "$ref" && strings.HasPrefix(ref.to, "#/") {
				return &CompileError{Pointer: join(ref.from.pointer, ref.keyword), Reason: fmt.Sprintf("refers to %q, which is not there", clip(ref.to))}
			}
			ref.from.approximate = true
			c.doubt(ref.from)
			continue
		}
		to, err := c.schema(found.value, found.at, strings.Count(found.at, "/"))
		if err != nil {
			return err
		}
		ref.from.refs = append(ref.from.refs, to)
	}
	return nil
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

// spreadApproximate marks every schema that stands on an approximate one.
func (c *compiler) spreadApproximate() {
	var queue []*node
	for _, n := range c.nodes {
		if n.approximate {
			queue = append(queue, n)
		}
	}
	if len(queue) == 0 {
		return
	}
	parents := map[*node][]*node{}
	for _, n := range c.nodes {
		n.children(func(child *node) { parents[child] = append(parents[child], n) })
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, parent := range parents[n] {
			if !parent.approximate {
				parent.approximate = true
				queue = append(queue, parent)
			}
		}
	}
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
