package jsonschema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

type compiler struct {
	document any
	nodes    map[string]*node // by pointer, so that a reference finds what is there already
	refs     []reference
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

// resolve looks up the references, those of their targets included.
func (c *compiler) resolve() error {
	for len(c.refs) > 0 {
		ref := c.refs[0]
		c.refs = c.refs[1:]
		value, at, err := c.lookup(ref)
		if err != nil {
			return err
		}
		if ref.from.ref, err = c.schema(value, at, strings.Count(at, "/")); err != nil {
			return err
		}
	}
	return nil
}

// lookup follows a JSON Pointer through the document, and spells it the way
// that schema does.
func (c *compiler) lookup(ref reference) (any, string, error) {
	missing := func() error {
		return &CompileError{Pointer: join(ref.from.pointer, "$ref"), Reason: fmt.Sprintf("refers to %q, which is not there", clip(ref.to))}
	}
	fragment, err := url.PathUnescape(strings.TrimPrefix(ref.to, "#"))
	if err != nil {
		return nil, "", missing()
	}
	value, at := c.document, "#"
	if fragment == "" {
		return value, at, nil
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(fragment, "/"), "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[token]
			if !ok {
				return nil, "", missing()
			}
			value = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
				return nil, "", missing()
			}
			value = v[i]
		default:
			return nil, "", missing()
		}
		at = join(at, token)
	}
	return value, at, nil
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
