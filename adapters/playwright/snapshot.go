package playwright

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// node is an element of a page, or a text between elements.
type node struct {
	role     string // "text" for a text
	name     string
	ref      string // "" for what nothing can be done with
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
	maxDepth    = 100 // what is deeper is taken for a child of the last that counts
)

var refForm = regexp.MustCompile(`^(f[0-9]+)?e[0-9]+$`)

// parse reads the accessibility tree as @playwright/mcp writes it: YAML, but always
// in one form, with each element on a line of its own,
//
//   - role "name" [state] [ref=e1]: text
//
// with its children behind it, two blanks further in. It reads that form and no
// other. A parser of YAML would do more: it ends lines at characters which the
// server does not escape (U+2028), so that a page could write elements of its own,
// and it refuses long names.
func parse(snapshot string) ([]*node, error) {
	if len(snapshot) > maxSnapshot {
		return nil, fmt.Errorf("the page is too large: its tree has %d bytes", len(snapshot))
	}
	var roots []*node
	var path []*node // from a root to the last node
	refs := map[string]bool{}
	count := 0
	for number, line := range strings.Split(snapshot, "\n") {
		if line == "" && number == 0 {
			continue // nothing at all
		}
		if count++; count > maxNodes {
			return nil, fmt.Errorf("the page is too large: it has more than %d elements", maxNodes)
		}
		entry := strings.TrimLeft(line, " ")
		depth := (len(line) - len(entry)) / 2
		entry, ok := strings.CutPrefix(entry, "- ")
		if !ok || (len(line)-len(entry)-2)%2 != 0 || depth > len(path) && len(path) < maxDepth {
			return nil, fmt.Errorf("line %d of the snapshot is no element", number+1)
		}
		depth = min(depth, len(path))
		if name, value, isProperty := property(entry); isProperty && depth > 0 {
			path[depth-1].set(name, value)
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
		if depth == 0 {
			roots = append(roots, n)
		} else {
			path[depth-1].children = append(path[depth-1].children, n)
		}
		if path = path[:depth]; depth < maxDepth {
			path = append(path, n)
		}
	}
	return roots, nil
}

// property reads "/url: page.html".
func property(entry string) (name, value string, ok bool) {
	if entry, ok = strings.CutPrefix(entry, "/"); !ok {
		return "", "", false
	}
	name, value, _ = strings.Cut(entry, ":")
	return name, scalar(strings.TrimPrefix(value, " ")), true
}

func (n *node) set(property, value string) {
	switch property {
	case "url":
		n.url = value
	case "placeholder":
		n.hint = value
	}
}

// element reads what is behind the dash.
func element(entry string) (*node, error) {
	if value, ok := strings.CutPrefix(entry, "text: "); ok {
		return &node{role: "text", text: scalar(value)}, nil
	}
	n := &node{}
	var rest string
	var err error
	if strings.HasPrefix(entry, "'") {
		key, behind, ok := quotedKey(entry)
		if !ok {
			return nil, errForm
		}
		inside, err := n.key(key)
		if err != nil {
			return nil, err
		}
		if inside != "" {
			return nil, errForm
		}
		rest = behind
	} else if rest, err = n.key(entry); err != nil {
		return nil, err
	}
	switch {
	case rest == "", rest == ":":
	case strings.HasPrefix(rest, ": "):
		n.text = scalar(rest[2:])
	default:
		return nil, errForm
	}
	return n, nil
}

var errForm = fmt.Errorf("it has a form that is not known here")

// quotedKey reads a key in single quotes, in which two stand for one.
func quotedKey(entry string) (key, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(entry); i++ {
		if entry[i] != '\'' {
			b.WriteByte(entry[i])
			continue
		}
		if i++; i == len(entry) || entry[i] != '\'' {
			return b.String(), entry[i:], true
		}
		b.WriteByte('\'')
	}
	return "", "", false
}

// key reads role, name and what is in brackets, and returns what is behind them. The
// name is a string of JSON, so nothing in it can be taken for a bracket.
func (n *node) key(s string) (rest string, err error) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' })
	if end < 0 {
		end = len(s)
	}
	if n.role, rest = s[:end], s[end:]; n.role == "" || n.role == "text" {
		return "", errForm
	}
	if strings.HasPrefix(rest, ` "`) {
		name := json.NewDecoder(strings.NewReader(rest[1:]))
		if name.Decode(&n.name) != nil {
			return "", errForm
		}
		rest = rest[1+name.InputOffset():]
	}
	for strings.HasPrefix(rest, " [") {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return "", errForm
		}
		n.attribute(rest[2:end])
		rest = rest[end+1:]
	}
	return rest, nil
}

func (n *node) attribute(text string) {
	name, value, _ := strings.Cut(text, "=")
	switch name {
	case "ref":
		if refForm.MatchString(value) {
			n.ref = value
		}
	case "cursor":
		n.pointer = value == "pointer"
	case "level", "box", "aria-hidden": // nothing that a model needs
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
