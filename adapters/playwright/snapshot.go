package playwright

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// node is an element of a page, or a text between elements.
type node struct {
	role     string // "text" for a text
	name     string
	ref      string // "" if nothing can be done with it
	text     string // of a text, or of an element that has nothing else in it
	url      string // of a link
	hint     string // what a field shows while it is empty
	states   []string
	pointer  bool // the mouse pointer becomes a hand over it
	children []*node
}

// What a page may be at most. Real ones stay far below.
const (
	maxSnapshot = 16 << 20 // bytes
	maxNodes    = 100_000
	maxDepth    = 100 // a deeper element is taken for a child of the last one that counts
)

var (
	refForm = regexp.MustCompile(`^(f[0-9]+)?e[0-9]+$`)
	// quotedKey is a key in single quotes, in which two stand for one.
	quotedKey = regexp.MustCompile(`^'((?:[^']|'')*)'`)
	// elementKey is role, name and attributes. The name is a string of JSON, so a bracket in it ends nothing.
	elementKey = regexp.MustCompile(`^([A-Za-z-]+)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)`)
	attributes = regexp.MustCompile(`\[([^\]=]*)=?([^\]]*)\]`)
	errForm    = errors.New("it has a form that is not known here")
)

// parse reads the accessibility tree as @playwright/mcp writes it: YAML, but always
// in one form, with each element on a line of its own,
//
//   - role "name" [state] [ref=e1]: text
//
// and its children after it, two blanks further in. It reads no other form. A YAML
// library ends lines at characters that the server does not escape (U+2028), so a
// page could write elements of its own.
func parse(snapshot string) ([]*node, error) {
	root := &node{}
	path := []*node{root} // from the root to the last node
	refs := map[string]bool{}
	for number, line := range strings.Split(snapshot, "\n") {
		if line == "" && number == 0 {
			continue // nothing at all
		}
		if number == maxNodes {
			return nil, fmt.Errorf("the page is too large: it has more than %d elements", maxNodes)
		}
		entry := strings.TrimLeft(line, " ")
		indent := len(line) - len(entry)
		depth := indent/2 + 1
		entry, ok := strings.CutPrefix(entry, "- ")
		if !ok || indent%2 != 0 || depth > len(path) && len(path) <= maxDepth {
			return nil, fmt.Errorf("line %d of the snapshot is no element", number+1)
		}
		depth = min(depth, len(path))
		parent := path[depth-1]
		if property, ok := strings.CutPrefix(entry, "/"); ok && parent != root {
			name, value, _ := strings.Cut(property, ":")
			parent.set(name, scalar(strings.TrimPrefix(value, " ")))
			continue
		}
		n, err := element(entry)
		if err != nil {
			return nil, fmt.Errorf("line %d of the snapshot: %w", number+1, err)
		}
		if n.ref != "" && refs[n.ref] {
			return nil, fmt.Errorf("line %d of the snapshot: the ref %s is there twice", number+1, n.ref)
		}
		refs[n.ref] = true
		parent.children = append(parent.children, n)
		if path = path[:depth]; depth <= maxDepth {
			path = append(path, n)
		}
	}
	return root.children, nil
}

func (n *node) set(property, value string) {
	switch property {
	case "url":
		n.url = value
	case "placeholder":
		n.hint = value
	}
}

// element reads an entry without its dash.
func element(entry string) (*node, error) {
	if value, ok := strings.CutPrefix(entry, "text: "); ok {
		return &node{role: "text", text: scalar(value)}, nil
	}
	key, rest := entry, ""
	quoted := quotedKey.FindStringSubmatch(entry)
	if quoted != nil {
		key, rest = strings.ReplaceAll(quoted[1], "''", "'"), entry[len(quoted[0]):]
	}
	m := elementKey.FindStringSubmatch(key)
	if m == nil || m[1] == "text" {
		return nil, errForm
	}
	switch after := key[len(m[0]):]; {
	case quoted == nil:
		rest = after
	case after != "":
		return nil, errForm
	}
	n := &node{role: m[1]}
	if m[2] != "" && json.Unmarshal([]byte(m[2]), &n.name) != nil {
		return nil, errForm
	}
	for _, a := range attributes.FindAllStringSubmatch(m[3], -1) {
		n.attribute(a[1], a[2])
	}
	if value, ok := strings.CutPrefix(rest, ": "); ok {
		n.text = scalar(value)
	} else if rest != "" && rest != ":" {
		return nil, errForm
	}
	return n, nil
}

// attribute takes what a model needs.
func (n *node) attribute(name, value string) {
	switch name {
	case "ref":
		if refForm.MatchString(value) {
			n.ref = value
		}
	case "cursor":
		n.pointer = value == "pointer"
	case "active":
		n.states = append(n.states, "focused")
	case "checked", "pressed", "invalid":
		if value == "mixed" || value == "grammar" || value == "spelling" {
			name += " " + value
		}
		n.states = append(n.states, name)
	case "disabled", "expanded", "selected":
		n.states = append(n.states, name)
	}
}

// scalar reads a value: as it is, or in double quotes with escapes.
func scalar(s string) string {
	if text, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return strings.ToValidUTF8(text, "")
	}
	return s
}

// find returns the element of a ref, nil if there is none. Without frames, those inside them do not count.
func find(nodes []*node, ref string, frames bool) *node {
	for _, n := range nodes {
		if n.ref == ref && ref != "" {
			return n
		}
		if n.role == "iframe" && !frames {
			continue
		}
		if found := find(n.children, ref, frames); found != nil {
			return found
		}
	}
	return nil
}
