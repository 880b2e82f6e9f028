package policies

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/spelling"
)

// ScanOptions say which values of a command [Paths] and [Hosts] look at. The zero value is described there.
type ScanOptions struct {
	// Parameters are names of further parameters that hold a path, or a host, at any depth.
	Parameters []string
	// Ignore is what is not looked at: a tool ("run_shell"), a parameter of every
	// tool ("text") or of one ("note_add.text").
	Ignore []string
}

// value is one value of a command's parameters.
type value struct {
	name    string   // of the parameter it is in: the key that is nearest
	formats []string // what the schema says of it
	text    string   // null is an empty one
	number  bool     // it is a number, without a text
	truth   bool     // it is true or false, without a text
	typed   bool     // and the schema wants that in this place, and no string
}

// kind is what [Paths] or [Hosts] looks for.
type kind struct {
	what    string
	formats map[string]bool // by which a schema says it
	words   map[string]bool // by which the name of a parameter says it
	of      map[string]bool // words behind those: file_name, url_address
	truths  bool            // true and false may be one
}

// isOf reports whether a value is one whatever it looks like.
func (v *value) isOf(k *kind, opts *ScanOptions) bool {
	if slices.Contains(opts.Parameters, v.name) || slices.ContainsFunc(v.formats, func(format string) bool { return k.formats[format] }) {
		return true
	}
	words := spelling.Words(v.name)
	for len(words) > 1 && k.of[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return len(words) > 0 && k.words[words[len(words)-1]]
}

// scanned denies a command if problem says why a text in its parameters may not be used, and which part of it. named: it
// is of the kind whatever it looks like.
func scanned(k *kind, opts *ScanOptions, problem func(cmd desktop.Command, v value, named bool) (shown, problem string)) Func {
	opts = opts.clone()
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if slices.Contains(opts.Ignore, cmd.ToolName) {
			return allow
		}
		if cmd.ToolName == desktop.RunShell {
			return deny("a shell command can name any " + k.what)
		}
		values, ok := valuesOf(tool, cmd, opts)
		if !ok {
			return deny("its parameters cannot be read")
		}
		for _, v := range values {
			named := v.isOf(k, opts)
			if v.number || v.truth {
				if named && !v.typed && (v.number || k.truths) {
					return deny("the parameter " + quoteOf(tool, cmd, v.name, v.name) + " is for a " + k.what + ", so it must be a text")
				}
				continue
			}
			if shown, why := problem(cmd, v, named); why != "" {
				return deny("the " + k.what + " " + quoteOf(tool, cmd, shown, v.text) + " " + why)
			}
		}
		return allow
	}
}

// valuesOf returns every value in the parameters of a command, in lists and objects too, with the keys of objects; ok
// is false when they have no JSON form, and when what the schema says of them cannot be found out.
func valuesOf(tool desktop.Tool, cmd desktop.Command, opts *ScanOptions) (values []value, ok bool) {
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return nil, false
	}
	var parameters any
	if err := json.Unmarshal(raw, &parameters); err != nil {
		return nil, false
	}
	schema, err := jsonschema.Compile(tool.InputSchema)
	if err != nil {
		return nil, false
	}
	s := scan{tool: cmd.ToolName, ignore: opts.Ignore}
	root := schema.Place()
	s.walk(parameters, root, "")
	return s.values, !root.Lost()
}

type scan struct {
	tool   string
	ignore []string
	values []value
}

func (s *scan) walk(v any, at *jsonschema.Place, name string) {
	if at.Lost() {
		return
	}
	switch v := v.(type) {
	case string:
		s.values = append(s.values, value{name: name, formats: at.Formats(), text: v})
	case nil:
		s.values = append(s.values, value{name: name, formats: at.Formats()})
	case float64:
		typed := at.Admits("number", "integer") && !at.Admits("string")
		s.values = append(s.values, value{name: name, formats: at.Formats(), number: true, typed: typed})
	case bool:
		typed := at.Admits("boolean") && !at.Admits("string")
		s.values = append(s.values, value{name: name, formats: at.Formats(), truth: true, typed: typed})
	case []any:
		for _, item := range v {
			s.walk(item, at.Item(), name)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) { // the same reason each time
			item := v[key]
			if slices.Contains(s.ignore, key) || slices.Contains(s.ignore, s.tool+"."+key) {
				continue
			}
			if !at.Names(key) {
				// A key that the caller chose, such as the name of a file to write.
				s.values = append(s.values, value{name: name, formats: at.Name().Formats(), text: key})
			}
			s.walk(item, at.Property(key), key)
		}
	}
}

// clone is a copy that the caller cannot change any more.
func (o *ScanOptions) clone() *ScanOptions {
	if o == nil {
		return &ScanOptions{}
	}
	return &ScanOptions{Parameters: slices.Clone(o.Parameters), Ignore: slices.Clone(o.Ignore)}
}
