package policies

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

// ScanOptions say which values of a command [Paths] and [Hosts] look at. The zero value is described there.
type ScanOptions struct {
	// Parameters are names of further parameters that hold a path, or a host, at any depth.
	Parameters []string
	// Ignore is what is not looked at: a tool ("run_shell"), a parameter of every
	// tool ("text") or of one ("note_add.text").
	Ignore []string
}

// value is one value of a command's parameters: a string, or what is none.
type value struct {
	name    string   // of the parameter it is in: the key that is nearest
	formats []string // what the schema says of it
	text    string   // null is an empty one
	number  bool     // it is a number, without a text
	truth   bool     // it is true or false, without a text
	typed   bool     // and the schema wants that in this place, and no string
}

// is reports whether the schema says one of these formats.
func (v *value) is(formats map[string]bool) bool {
	return slices.ContainsFunc(v.formats, func(format string) bool { return formats[format] })
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
	s := scan{tool: cmd.ToolName, ignore: opts.ignored()}
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

func (o *ScanOptions) ignored() []string {
	if o == nil {
		return nil
	}
	return o.Ignore
}

func (o *ScanOptions) parameters() []string {
	if o == nil {
		return nil
	}
	return o.Parameters
}

// clone is a copy that the caller cannot change any more.
func (o *ScanOptions) clone() *ScanOptions {
	return &ScanOptions{Parameters: slices.Clone(o.parameters()), Ignore: slices.Clone(o.ignored())}
}
