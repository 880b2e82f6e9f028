package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

// Reserves says why a tool of the desktop cannot have a name, "" where it can. Letters are compared without
// their case, as those of a status in a reply are.
func (f *ToolCalls) Reserves(name string) string {
	switch {
	case slices.Contains(f.Statuses, fsm.ParseStatus(name)):
		return "it is named like a status, which is a tool itself"
	case slices.ContainsFunc(f.Own, func(t OwnTool) bool { return strings.EqualFold(t.Field, strings.TrimSpace(name)) }):
		return "it is named like a tool of the agent's own"
	case len(section.Break([]byte(name))) > len(name):
		return "its name has a mark of a chat template"
	}
	return ""
}

// callsKey is what the tools of a reply are made of.
type callsKey struct {
	box     *desktop.Toolbox
	offered []fsm.Status
}

// Tools returns what a reply may call: the tools of the desktop, then the agent's own, then the statuses. What changes
// least comes first. They are the same, byte for byte, while the toolbox and the statuses are.
func (k *Kept) Tools(f *ToolCalls, box *desktop.Toolbox, offered []fsm.Status) []llm.Tool {
	sameBox := k.acts != nil && k.callsOf.box == box
	if sameBox && slices.Equal(k.callsOf.offered, offered) {
		return k.calls
	}
	if !sameBox {
		k.acts = slices.Clip(f.tools(box))
	}
	k.calls, k.callsOf = k.acts, callsKey{box, slices.Clone(offered)}
	for _, status := range offered {
		k.calls = append(k.calls, f.status(status))
	}
	return k.calls
}

// tools are those of the desktop, then the agent's own.
func (f *ToolCalls) tools(box *desktop.Toolbox) []llm.Tool {
	list := []llm.Tool{}
	room := promptsize.Of("tools")
	for _, tool := range OfferedTools(box.Tools()) {
		instead := func(own OwnTool) bool { return own.Instead && own.With == tool.Name }
		if slices.ContainsFunc(f.Own, instead) {
			continue
		}
		shown := toolOf(tool)
		if n := len(shown.Description) + len(shown.Parameters); n <= room { // one that is too large leaves out itself alone
			room -= n
			list = append(list, shown)
		}
	}
	if room -= strict(list); room < 0 { // what is closed is longer, and no tool is left out for it
		for i := range list {
			list[i].Strict = nil
		}
	}
	for _, own := range f.Own {
		if _, there := box.Tool(own.With); own.With == "" || there {
			list = append(list, own.tool())
		}
	}
	return list
}

// strict is how much longer the closed forms of tools are.
func strict(tools []llm.Tool) (more int) {
	for i := range tools {
		if tools[i].Strict != nil {
			more += len(tools[i].Strict) - len(tools[i].Parameters)
		}
	}
	return more
}

// toolOf is a tool of the desktop. What the program says of it has its place, however much the tool says itself.
func toolOf(tool desktop.Tool) llm.Tool {
	var about []string
	if tool.Annotations.DestructiveHint {
		about = append(about, "It may destroy something.")
	}
	if tool.Origin != "" {
		about = append(about, "Of "+clip.Text(tool.Origin, promptsize.Name)+".")
	}
	parameters, whole := openParameters(tool.InputSchema)
	if !whole {
		room := promptsize.ToolText - min(len(tool.Description), promptsize.ToolText/2) - len(strings.Join(about, " ")) - len("  ")
		said := "Its arguments fit this JSON Schema: " + string(section.Escape(tool.InputSchema))
		about = append(about, clip.Text(said, room-len(clip.Mark(len(said), ""))))
	}
	added := strings.Join(about, " ")
	text := clip.Text(tool.Description, max(0, promptsize.ToolText-len(added)-len(" ")))
	if text != "" && added != "" {
		text += " "
	}
	shut, _ := closed.Described(tool.InputSchema)
	// A server that decodes a schema before it writes its prompt shows a mark in it, such as [INST] in an enum. If a
	// blank broke that, a model that obeys would be refused.
	return llm.Tool{
		Name: tool.Name, Description: string(section.Break([]byte(text + added))),
		Parameters: section.Escape(parameters), Strict: section.Escape(shut),
	}
}

// openParameters returns a schema as providers take it for a tool: an object at its top, and no choice between
// schemas there. whole is false where something of it is left out.
func openParameters(schema json.RawMessage) (parameters json.RawMessage, whole bool) {
	v, err := loosejson.Parse(string(schema))
	if err != nil || v.Kind != loosejson.Object {
		v = loosejson.Value{Kind: loosejson.Object}
	}
	open := loosejson.Value{Kind: loosejson.Object, Members: []loosejson.Member{
		{Name: "type", Value: loosejson.Text("object")}, {Name: "properties", Value: loosejson.Value{Kind: loosejson.Object}},
	}}
	whole = true
	for _, m := range v.Members {
		switch m.Name {
		case "type", "$schema":
		case "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else", "$ref":
			whole = false
		default:
			open = open.With(m.Name, m.Value)
		}
	}
	if !whole {
		g := gathered{root: v, at: map[string]int{}, seen: map[string]bool{}}
		g.add(v)
		open = open.With("properties", loosejson.Value{Kind: loosejson.Object, Members: g.properties})
	}
	return open.Append(nil), whole
}

// gathered are the properties that a schema has itself, and in the schemas that it may apply to the same value.
type gathered struct {
	root       loosejson.Value
	properties []loosejson.Member
	at         map[string]int  // where they are
	seen       map[string]bool // references
}

func (g *gathered) add(v loosejson.Value) {
	own, _ := v.Get("properties")
	for _, p := range own.Members {
		i, there := g.at[p.Name]
		switch {
		case !there:
			g.at[p.Name] = len(g.properties)
			g.properties = append(g.properties, p)
		case !loosejson.Equal(g.properties[i].Value, p.Value):
			g.properties[i].Value = loosejson.Value{Kind: loosejson.Object} // the description has what it may be
		}
	}
	for _, m := range v.Members {
		switch m.Name {
		case "anyOf", "oneOf", "allOf":
			for _, one := range m.Value.Items {
				g.add(one)
			}
		case "then", "else":
			g.add(m.Value)
		case "$ref":
			if !g.seen[m.Value.Text] {
				g.seen[m.Value.Text] = true
				g.add(g.target(m.Value.Text))
			}
		}
	}
}

// target is the schema behind a reference into the same schema.
func (g *gathered) target(ref string) loosejson.Value {
	pointer, _ := strings.CutPrefix(ref, "#/")
	v := g.root
	for step := range strings.SplitSeq(pointer, "/") {
		v, _ = v.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return v
}

func (t *OwnTool) tool() llm.Tool {
	argument := loosejson.Member{Name: t.Argument, Value: described(closed.Text, loosejson.Text(t.About))}
	shut := closed.Object(argument)
	open := shut
	if !t.Must {
		open = needing(shut)
	}
	return llm.Tool{Name: t.Field, Description: t.What, Parameters: open.Append(nil), Strict: shut.Append(nil)}
}

var textPlan, _ = loosejson.Parse(`{"type": "array", "items": {"type": "string"}}`)

// status is the tool of a status. A table of somebody else may have one that nobody describes here. A Result without
// an Open has no closed form: only beside a list of answers is its text read as JSON.
func (f *ToolCalls) status(status fsm.Status) llm.Tool {
	says, known := f.Says[status]
	if !known {
		says.Fields = []string{"Result"}
	}
	all, err := loosejson.Parse(string(f.Fields.JSON))
	properties, _ := all.Get("properties")
	var shown, shut []loosejson.Member
	for _, m := range properties.Members {
		if m.Name == "Plan" && f.TextPlans {
			m.Value = textPlan
		}
		if about := f.About[m.Name]; about != "" {
			m.Value = m.Value.With("description", loosejson.Text(about))
		}
		if err == nil && (m.Name == "Comment" || m.Name == "Plan" || slices.Contains(says.Fields, m.Name)) {
			shown = append(shown, m)
			m.Value = closedField(m)
			shut = append(shut, m)
		}
	}
	parameters := needing(closed.Object(shown...), says.Needs...)
	tool := llm.Tool{Name: string(status), Description: says.What, Parameters: parameters.Append(nil)}
	if !slices.Contains(says.Fields, "Result") || slices.Contains(says.Fields, "Open") {
		tool.Strict = closed.Object(shut...).Append(nil)
	}
	return tool
}

// needing is the schema of an object that requires nothing else.
func needing(v loosejson.Value, names ...string) loosejson.Value {
	if len(names) == 0 {
		v.Members = slices.DeleteFunc(slices.Clone(v.Members), func(m loosejson.Member) bool { return m.Name == "required" })
		return v
	}
	required := loosejson.Value{Kind: loosejson.Array}
	for _, name := range names {
		required.Items = append(required.Items, loosejson.Text(name))
	}
	return v.With("required", required)
}

// closedField is the closed form of a field, with what it says of itself.
func closedField(m loosejson.Member) loosejson.Value {
	about, _ := m.Value.Get("description")
	if m.Name == "Plan" { // an empty one says that nothing is left
		return described(closed.OrNull(closed.Plain(m.Value)), about)
	}
	return described(closed.Plain(m.Value), about)
}

func described(v, about loosejson.Value) loosejson.Value {
	if about.Text == "" {
		return v
	}
	return v.With("description", about)
}
