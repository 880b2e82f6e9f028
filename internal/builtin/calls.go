package builtin

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/spelling"
	"github.com/agentfsm/agentfsm/llm"
)

// Names of a call and its parts, as models write them, folded. The tags of the
// decisions' fields have them, too; here they are for what no field has.
var (
	callNames = set("function", "tool", "toolname", "functionname", "functioncall", "toolcall", "call", "tooluse")
	argNames  = set("args", "arguments", "parameters", "params", "kwargs", "input", "inputs", "toolinput", "toolargs", "toolarguments",
		"toolparameters", "functionargs", "functionarguments", "functionparameters", "actioninput", "argument", "parameter")
	listNames = set("actions", "action", "actionlist", "toolcalls", "functioncalls", "calls", "steps", "tooluses")
	wraps     = set("result", "decision", "response", "reply", "answer", "output", "json", "final", "finalanswer", "data")

	// others mean an act, but no one act.
	others = set("bash", "bashcommand", "command", "commands", "cmd", "shell", "shellcommand", "runshell", "run", "exec", "execute", "script",
		"invoke", "invocation", "operation", "operations", "nextaction", "nextactions", "actionname", "act", "acts", "tools", "functions",
		"recipientname", "toolcode", "selectedtool", "actiontype", "code", "apicall", "method", "terminal", "bashscript", "powershell", "sh",
		"commandline", "python")
	shellNames = set("bash", "bashcommand", "shellcommand") // that the host's field has
)

// chatID matches the id that a chat's protocol gives to a call.
var chatID = regexp.MustCompile(`^(?:(?:call|function-call|toolu|tooluse|fc|chatcmpl-tool)[_-]|functions\.)`)

func set(list ...string) map[string]bool {
	all := make(map[string]bool, len(list))
	for _, name := range list {
		all[name] = true
	}
	return all
}

// words are the folded names that are known here, by themselves: to fold one makes no string.
var words = func() map[string]string {
	all := map[string]string{}
	for _, known := range []map[string]bool{callNames, argNames, listNames, wraps, others, remarks, past, pale,
		set("name", "type", "id", "callid", "status", "observation", "plan", "questions", "open", "controllabel", "controltext", "currentsubtask", "message")} {
		for name := range known {
			all[name] = name
		}
	}
	return all
}()

// Fold is the form in which names are compared: letters and digits, in lower case.
func Fold(name string) string {
	var short [48]byte
	folded := spelling.AppendFold(short[:0], name)
	if word, ok := words[string(folded)]; ok {
		return word
	}
	return string(folded)
}

// Reshape brings the object of a reply into the form of a decision: without the
// object around it, and with calls as Function and Args. The decisions have it as their
// method ReshapeValue, which package llm knows.
func Reshape(reply loosejson.Value) (loosejson.Value, []llm.Repair) {
	s := &shaper{}
	v := s.call(opened(s.unwrap(reply)), "")
	for i := range v.Members {
		m := &v.Members[i]
		switch {
		case Fold(m.Name) == "open" && m.Value.Kind == loosejson.Object:
			v.Members = slices.Clone(v.Members)
			v.Members[i].Value = openList(m.Value)
		case !listNames[Fold(m.Name)]:
		case m.Value.Kind == loosejson.Object:
			v.Members = slices.Clone(v.Members)
			v.Members[i].Value = s.call(m.Value, m.Name)
		case m.Value.Kind == loosejson.Array:
			items := slices.Clone(m.Value.Items)
			for j := range items {
				items[j] = s.call(items[j], fmt.Sprintf("%s[%d]", m.Name, j))
			}
			v.Members = slices.Clone(v.Members)
			v.Members[i].Value.Items = items
		}
	}
	return v, s.made
}

// shaper notes what it changes.
type shaper struct{ made []llm.Repair }

func (s *shaper) note(kind string, path, name string) {
	if path != "" {
		name = path + "." + name
	}
	for i := range s.made {
		if s.made[i].Kind == kind {
			s.made[i].Count++
			return
		}
	}
	s.made = append(s.made, llm.Repair{Kind: kind, Where: name, Count: 1})
}

// unwrap returns the decision in an object that has nothing else.
func (s *shaper) unwrap(v loosejson.Value) loosejson.Value {
	const deepest = 3
	for range deepest {
		if len(v.Members) != 1 || !wraps[Fold(v.Members[0].Name)] || !has(v.Members[0].Value, "status") {
			break
		}
		s.note(repair.Wrapper, "", v.Members[0].Name)
		v = v.Members[0].Value
	}
	return v
}

// has reports whether an object has a name, however it is spelt.
func has(v loosejson.Value, folded string) bool {
	return slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return Fold(m.Name) == folded })
}

// call rewrites a call that is an object of its own, or has its name as name. path
// is that of an element of a list, "" for the decision itself.
func (s *shaper) call(v loosejson.Value, path string) loosejson.Value {
	if v.Kind != loosejson.Object {
		return v
	}
	named := slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return callNames[Fold(m.Name)] })
	given := slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return argNames[Fold(m.Name)] })
	kind := ""
	if typ, ok := v.Get("type"); ok && path != "" {
		kind = Fold(typ.Text)
	}
	// Of a chat's call, the id and the index are no arguments. Without any they may be.
	nested := slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return callNames[Fold(m.Name)] && m.Value.Kind == loosejson.Object })
	chat := callNames[kind] && slices.ContainsFunc(v.Members, gives)
	before := len(s.made)
	var few [16]loosejson.Member
	members := few[:0]
	for _, m := range v.Members {
		folded := Fold(m.Name)
		switch {
		case callNames[folded] && m.Value.Kind == loosejson.Object:
			function, args, ok := parts(m.Value)
			if !ok {
				break
			}
			s.note(repair.Call, path, m.Name)
			members = append(members, loosejson.Member{Name: "Function", Value: function})
			if args.Kind != loosejson.Null {
				members = append(members, loosejson.Member{Name: "Args", Value: args})
			}
			continue
		case folded == "name" && m.Value.Kind == loosejson.String && !named && (given || path != ""):
			s.note(repair.Alias, path, m.Name)
			m.Name = "Function"
		case argNames[folded] && m.Value.Kind == loosejson.Array && len(m.Value.Items) == 0:
			s.note(repair.Call, path, m.Name)
			m.Value = loosejson.Value{Kind: loosejson.Object}
		case chat && (folded == "type" && (nested || kind != "function" && kind != "tool") || folded == "index" && m.Value.Kind == loosejson.Number ||
			(folded == "id" || folded == "callid") && chatID.MatchString(m.Value.Text)):
			s.note(repair.Unknown, path, m.Name)
			continue
		}
		members = append(members, m)
	}
	if len(s.made) > before {
		v.Members = slices.Clone(members)
	}
	return v
}

// gives reports whether a part of a call has its arguments, none included.
func gives(m loosejson.Member) bool {
	folded := Fold(m.Name)
	return argNames[folded] && m.Value.Kind != loosejson.Null || callNames[folded] && slices.ContainsFunc(m.Value.Members, gives)
}

// parts returns the name and the arguments of a call that is an object. It may have
// nothing else.
func parts(v loosejson.Value) (function, args loosejson.Value, ok bool) {
	given := slices.ContainsFunc(v.Members, gives)
	for _, m := range v.Members {
		switch folded := Fold(m.Name); {
		case (folded == "name" || callNames[folded]) && m.Value.Kind == loosejson.String && function.Kind == loosejson.Null:
			function = m.Value
		case argNames[folded] && args.Kind == loosejson.Null:
			if args = m.Value; args.Kind == loosejson.Array && len(args.Items) == 0 {
				args = loosejson.Value{Kind: loosejson.Object}
			}
		case folded == "type" && m.Value.Text == "function", folded == "id" && chatID.MatchString(m.Value.Text) && given:
		default:
			return function, args, false
		}
	}
	return function, args, function.Kind != loosejson.Null
}
