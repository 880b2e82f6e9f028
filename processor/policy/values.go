package policy

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/desktop"
)

// ScanOptions say which values of a command [Paths] and [Hosts] look at. The zero
// value is described there.
type ScanOptions struct {
	// Parameters are names of further parameters that hold a path, or a host, at
	// any depth.
	Parameters []string
	// Ignore is what is not looked at: a tool ("run_shell"), a parameter of every
	// tool ("text") or of one ("note_add.text").
	Ignore []string
}

// value is one string of a command's parameters.
type value struct {
	name   string // of the parameter it is in: the key that is nearest
	format string // what the schema says of it
	text   string
}

// valuesOf returns every string in the parameters of a command, keys of objects
// included; ok is false when they have no JSON form.
func valuesOf(tool desktop.Tool, cmd desktop.Command, opts *ScanOptions) (values []value, ok bool) {
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return nil, false
	}
	var parameters any
	if err := json.Unmarshal(raw, &parameters); err != nil {
		return nil, false
	}
	var schema property
	if len(tool.InputSchema) > 0 {
		// One that cannot be read was refused with the toolbox.
		_ = json.Unmarshal(tool.InputSchema, &schema)
	}
	s := scan{tool: cmd.ToolName, ignore: opts.ignored()}
	s.walk(parameters, &schema, "")
	return s.values, true
}

// property is the part of a schema that says where something is.
type property struct {
	Format     string               `json:"format"`
	Properties map[string]*property `json:"properties"`
	Items      *property            `json:"items"`
}

// UnmarshalJSON takes a schema that is a boolean, or that has other things in
// these places, for one that says nothing.
func (p *property) UnmarshalJSON(data []byte) error {
	type fields property
	var f fields
	if json.Unmarshal(data, &f) == nil {
		*p = property(f)
	}
	return nil
}

type scan struct {
	tool   string
	ignore []string
	values []value
}

func (s *scan) walk(v any, schema *property, name string) {
	if schema == nil {
		schema = &property{}
	}
	switch v := v.(type) {
	case string:
		s.values = append(s.values, value{name: name, format: schema.Format, text: v})
	case []any:
		for _, item := range v {
			s.walk(item, schema.Items, name)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) { // the same reason each time
			item := v[key]
			if slices.Contains(s.ignore, key) || slices.Contains(s.ignore, s.tool+"."+key) {
				continue
			}
			if _, known := schema.Properties[key]; !known {
				// A key that the caller chose, such as the name of a file to write.
				s.values = append(s.values, value{name: name, text: key})
			}
			s.walk(item, schema.Properties[key], key)
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

// wordsOf splits a name as people write them (deleteFile, delete-file,
// DELETE_FILE, "Delete file…") into words in lower case.
func wordsOf(name string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			end()
			continue
		}
		// A new word begins at the U of deleteURL and at the F of URLFile.
		if unicode.IsUpper(r) && i > 0 {
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && next {
				end()
			}
		}
		word.WriteRune(r)
	}
	end()
	return words
}
