package desktop

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

// Toolbox is a checked list of tools: names are unique and schemas compile. It
// knows which parameters fit, and which of them are secret. It never changes
// and is safe for concurrent use. [Open] makes one from a Desktop.
//
// The package comment says which keywords of a schema are checked. A tool with another
// that would restrict is there only with a [Validator].
type Toolbox struct {
	given     []Tool // with those that are left out
	validated bool   // by a Validator
	tools     []checkedTool
	index     map[string]int
	unusable  []unusableTool
}

// checkedTool is a tool that can be used.
type checkedTool struct {
	Tool
	schema *jsonschema.Schema
	check  func(json.RawMessage) error // of a Validator; nil: the schema checks
	types  map[string]string
	others bool
}

// unusableTool is one that a Toolbox leaves out.
type unusableTool struct {
	name string
	why  error
}

// NewToolbox checks tools and keeps a copy. The error names each that is
// unusable. v checks the tools whose schemas this package does not check; nil: they are unusable.
func NewToolbox(tools []Tool, v Validator) (*Toolbox, error) {
	box, problems := v.sorted(tools)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return box, nil
}

// Unusable says which tools [Open] left out, and why: one without a name, one whose
// schema does not compile, one with a keyword that nothing checks, and
// two of one name. Of two that are equal, or come from different origins, the first is there.
func (b *Toolbox) Unusable() []error {
	list := make([]error, len(b.unusable))
	for i, tool := range b.unusable {
		list[i] = tool.why
	}
	return list
}

// sorted makes a Toolbox of the tools that can be used, and says what is wrong with
// the others.
func (v Validator) sorted(tools []Tool) (*Toolbox, []error) {
	b := &Toolbox{index: make(map[string]int, len(tools)), given: cloneTools(tools), validated: v != nil}
	tools = b.given
	twice, seen := doubles(tools), make(map[string]bool, len(tools))
	var problems []error
	leaveOut := func(name string, number int, why error) {
		why = unusable(name, number, why)
		b.unusable, problems = append(b.unusable, unusableTool{cmp.Or(name, strconv.Itoa(number)), why}), append(problems, why)
	}
	for i, tool := range tools {
		var check func(json.RawMessage) error
		schema, err := jsonschema.Compile(tool.InputSchema)
		if err == nil {
			check, err = v.check(tool, schema)
		}
		taken := seen[tool.Name] // also by one that cannot be used: a Desktop executes that
		seen[tool.Name] = true
		switch {
		case strings.TrimSpace(tool.Name) == "":
			leaveOut("", i, errors.New("has no name"))
		case taken, twice[tool.Name]:
			leaveOut(tool.Name, i, errDuplicateTool)
		case err != nil:
			leaveOut(tool.Name, i, err)
		default:
			b.index[tool.Name] = len(b.tools)
			types, others := schema.Parameters()
			b.tools = append(b.tools, checkedTool{tool, schema, check, types, others})
		}
	}
	return b, problems
}

// doubles are the names that two different tools of one origin have: which of them is
// executed nobody can say.
func doubles(tools []Tool) map[string]bool {
	first, twice := make(map[string]*Tool, len(tools)), map[string]bool{}
	for i := range tools {
		tool := &tools[i]
		known := first[tool.Name]
		if known == nil {
			first[tool.Name] = tool
		} else if known.Origin == tool.Origin && !reflect.DeepEqual(known, tool) {
			twice[tool.Name] = true
		}
	}
	return twice
}

// Tools returns the tools in the order in which they were given. The caller
// owns what is returned.
func (b *Toolbox) Tools() []Tool {
	tools := make([]Tool, len(b.tools))
	for i := range b.tools {
		tools[i] = b.tools[i].Tool.clone()
	}
	return tools
}

// Tool returns the tool of that name. The caller does not change the schema, which is the
// Toolbox's own: an agent asks many times in each step.
func (b *Toolbox) Tool(name string) (Tool, bool) {
	i, ok := b.index[name]
	if !ok {
		return Tool{}, false
	}
	return b.tools[i].Tool, true
}

// Parameters returns the parameters that the schema of a tool names, with the one type of each:
// "" if it has several or none. others reports whether there may be more. The caller does not
// change the map. Without such a tool it is nil.
func (b *Toolbox) Parameters(tool string) (types map[string]string, others bool) {
	i, ok := b.index[tool]
	if !ok {
		return nil, false
	}
	return b.tools[i].types, b.tools[i].others
}

// Check says whether a command may be sent: its tool exists and its parameters
// fit the tool's schema. The error wraps [ErrUnknownTool] or [ErrParameters], or is
// that of an unusable tool. No parameters at all are an empty object.
func (b *Toolbox) Check(cmd Command) error {
	i, ok := b.index[cmd.ToolName]
	if !ok {
		for _, problem := range b.unusable {
			if problem.name == cmd.ToolName {
				return fmt.Errorf("%w; call another tool", problem.why)
			}
		}
		return unknownTool(cmd.ToolName, slices.Collect(maps.Keys(b.index)))
	}
	p, ok := asJSON(cmd.Parameters)
	if !ok {
		return badParameters(cmd.ToolName, notJSON)
	}
	if check := b.tools[i].check; check != nil {
		text, err := json.Marshal(p)
		if err == nil {
			err = check(text)
		}
		if err != nil {
			return badParameters(cmd.ToolName, err.Error())
		}
		return nil // what the schema says beside that may need the keyword
	}
	if problems := b.tools[i].schema.Validate(p); len(problems) > 0 {
		return badParameters(cmd.ToolName, problems...)
	}
	return nil
}

// schema returns what is known of the parameters of a tool, nil for nothing.
func (b *Toolbox) schema(name string) *jsonschema.Schema {
	if i, ok := b.index[name]; ok {
		return b.tools[i].schema
	}
	if tool, ok := ToolNamed(name); ok {
		if schema, err := jsonschema.Compile(tool.InputSchema); err == nil {
			return schema
		}
	}
	return nil
}

// asJSON returns parameters as a schema checks them: as they are, or else as plain does.
func asJSON(parameters map[string]any) (map[string]any, bool) {
	if parameters != nil && isPlain(parameters, 0) {
		return parameters, true // as mostly
	}
	return plain(parameters)
}

// isPlain reports whether a value reads the same when it was written as JSON and read
// again, so that it can be checked as it is.
func isPlain(v any, depth int) bool {
	if depth > plainDepth {
		return false
	}
	switch v := v.(type) {
	case nil, bool:
		return true
	case string:
		return utf8.ValidString(v)
	case json.Number:
		return json.Valid([]byte(v))
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case map[string]any:
		for name, item := range v {
			if !utf8.ValidString(name) || !isPlain(item, depth+1) {
				return false
			}
		}
		return v != nil || depth == 0
	case []any:
		for _, item := range v {
			if !isPlain(item, depth+1) {
				return false
			}
		}
		return v != nil
	}
	return false
}

// plainDepth is how deep isPlain looks: what is deeper may hold itself.
const plainDepth = 500

// plain returns a copy of parameters as a desktop at the other end of a wire
// sees them: maps, slices, strings, json.Number, booleans and nil.
func plain(parameters map[string]any) (map[string]any, bool) {
	if parameters == nil {
		return map[string]any{}, true
	}
	raw, err := json.Marshal(parameters)
	if err != nil {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out map[string]any
	return out, dec.Decode(&out) == nil
}

func (t Tool) clone() Tool {
	t.InputSchema = slices.Clone(t.InputSchema)
	return t
}

func cloneTools(tools []Tool) []Tool {
	out := make([]Tool, len(tools))
	for i, tool := range tools {
		out[i] = tool.clone()
	}
	return out
}

func sameTool(a, b Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Annotations == b.Annotations && a.Origin == b.Origin && a.Group == b.Group &&
		bytes.Equal(a.InputSchema, b.InputSchema)
}
