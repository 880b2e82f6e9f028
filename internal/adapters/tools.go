package adapters

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// longestName is how long the name of a tool may be, in bytes.
const longestName = 64

// Names are what a provider calls the tools of one request, which must have letters, digits, _ and -. A name that
// fits is the same; another one is written in another way, no two in one.
type Names struct{ sent, read map[string]string }

// NamesOf returns the names of the tools of a request, and of the calls that it shows.
func NamesOf(req *llm.Request) *Names {
	n := &Names{sent: map[string]string{}, read: map[string]string{}}
	each := func(f func(name string)) {
		for _, tool := range req.Tools {
			f(tool.Name)
		}
		for i := range req.Messages {
			for _, call := range req.Messages[i].Calls {
				f(call.Name)
			}
		}
	}
	each(func(name string) {
		if fits(name) {
			n.sent[name], n.read[name] = name, name
		}
	})
	each(func(name string) {
		if n.sent[name] == "" {
			sent := rename(name, n.read)
			n.sent[name], n.read[sent] = sent, name
		}
	})
	return n
}

// Sent returns the name that the provider gets.
func (n *Names) Sent(name string) string { return n.sent[name] }

// Read returns the name of the tool that a model calls. One that it made up stays as it is.
func (n *Names) Read(sent string) string {
	if name, ok := n.read[sent]; ok {
		return name
	}
	return sent
}

func fits(name string) bool { return name != "" && len(name) <= longestName && plain(name) == name }

func plain(name string) string {
	return strings.Map(func(r rune) rune {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if letter || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// rename returns a name that fits and is not taken: as much of it as a person can read, and a hash.
func rename(name string, taken map[string]string) string {
	readable := plain(name)
	sum := sha256.Sum256([]byte(name))
	for {
		mark := "_" + hex.EncodeToString(sum[:6])
		sent := readable[:min(len(readable), longestName-len(mark))] + mark
		if _, ok := taken[sent]; !ok {
			return sent
		}
		sum = sha256.Sum256(sum[:])
	}
}

// Arguments are those of a call as a server wrote them: what is no JSON is a text.
func Arguments(text string) json.RawMessage {
	var out bytes.Buffer
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if json.Compact(&out, []byte(text)) != nil {
		raw, _ := json.Marshal(strings.ToValidUTF8(text, "\ufffd")) //nolint:errchkjson // a string has a JSON form
		return raw
	}
	return out.Bytes()
}

// Object returns arguments that are an object, and {} in the place of others, which no server takes back.
func Object(args json.RawMessage) json.RawMessage {
	if raw := bytes.TrimSpace(args); len(raw) > 0 && raw[0] == '{' && json.Valid(raw) {
		return raw
	}
	return json.RawMessage("{}")
}

// WrongTools says what of the tools and the calls of a request no protocol can say, or nothing.
func WrongTools(req *llm.Request) string {
	for _, tool := range req.Tools {
		if tool.Name == "" || !json.Valid(tool.Parameters) {
			return "a tool has no name, or its parameters are not JSON"
		}
	}
	open := map[string]bool{}
	for i := range req.Messages {
		m := &req.Messages[i]
		if m.Role != llm.ToolResult && len(open) > 0 {
			return "a call has no result"
		}
		switch {
		case m.Role == llm.ToolResult && !open[m.CallID]:
			return "a result is of no call before it"
		case m.Role == llm.ToolResult:
			delete(open, m.CallID)
		case m.Role != llm.Assistant && len(m.Calls) > 0:
			return "somebody else than the assistant calls a tool"
		}
		for _, call := range m.Calls {
			if call.ID == "" || open[call.ID] {
				return "a call has no id of its own"
			}
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return "a call has no result"
	}
	return ""
}

// ToolForms remembers how a model takes tools. Its zero value has seen nothing refused.
type ToolForms struct {
	strict Forms
	auto   atomic.Bool // the server lets nobody say that the model must call a tool
}

// Sent is how the tools of a request are sent.
type Sent struct {
	Strict bool // in their closed forms, where they have one
	Auto   bool // the model may also call nothing
}

// Ask asks a model that must call a tool, and holds it to the closed forms of the tools, unless they do not fit into
// what the provider takes. What the server refuses of that is left out once more, and remembered: with extended
// thinking servers take no forced call. A response says so where it was not held to the tools.
func (t *ToolForms) Ask(req *llm.Request, fit bool, ask func(Sent) (*llm.Response, FormatRefusal, error)) (*llm.Response, error) {
	tools, forms := strictTools(req), []Form{FormStrict, FormLoose}
	if tools == nil || !fit {
		forms = forms[1:]
	}
	resp, err := t.strict.Complete(tools, forms, func(form Form) (*llm.Response, FormatRefusal, error) {
		resp, refusal, err := askWithTools(&t.auto, func(auto bool) (*llm.Response, FormatRefusal, error) {
			return ask(Sent{Strict: form == FormStrict, Auto: auto})
		})
		if refusal == ChoiceRefused || refusal == ToolsRefused {
			refusal = FormatTaken // not the form
		}
		return resp, refusal, err
	})
	if tools != nil && !fit {
		Note(resp, repair.NotStrict)
	}
	return resp, err
}

// askWithTools asks a model that must call a tool. Where the server does not take that, as with extended thinking,
// it asks once more a model that may, and auto remembers it.
func askWithTools(auto *atomic.Bool, ask func(auto bool) (*llm.Response, FormatRefusal, error)) (*llm.Response, FormatRefusal, error) {
	may := auto.Load()
	resp, refusal, err := ask(may)
	if refusal == ChoiceRefused && !may {
		resp, refusal, err = ask(true)
		if err == nil || errors.Is(err, llm.ErrRefused) {
			auto.Store(true)
		}
		may = true
	}
	if may && err == nil {
		Note(resp, repair.NotForced)
	}
	return resp, refusal, saysTools(err, refusal)
}

// ForcedCall remembers whether a model behind another library can be made to call a tool. Its zero value has seen
// nothing refused.
type ForcedCall struct {
	auto atomic.Bool // its server lets nobody say so
}

// Ask asks the model, which must call one of the tools if the request has some. Where its server refuses that, Ask
// asks a model that may also call nothing (auto), and remembers it.
func (c *ForcedCall) Ask(req *llm.Request, ask func(auto bool) (*llm.Response, error)) (*llm.Response, error) {
	if req == nil || len(req.Tools) == 0 {
		return ask(false)
	}
	resp, _, err := askWithTools(&c.auto, func(auto bool) (*llm.Response, FormatRefusal, error) {
		resp, err := ask(auto)
		f := failureIn(err)
		if f.Malformed() {
			return f.Reply("", ""), aboutTools(f), nil
		}
		return resp, aboutTools(f), err
	})
	return resp, err
}

// failureIn is what an error of another library says of the tools of a request. The words are those of the
// server; of most the status is known.
func failureIn(err error) *Failure {
	call, ok := errors.AsType[*llm.CallError](err)
	if !ok {
		return &Failure{}
	}
	f := &Failure{Status: call.Status, Message: call.Message}
	if call.Err != nil {
		f.Message += " " + call.Err.Error()
	}
	if f.Status == 0 && call.Kind == nil {
		f.Status = http.StatusBadRequest // nobody knows
	}
	return f
}

// Note notes in a response, once, what the adapter did other than it was asked.
func Note(resp *llm.Response, kind string) {
	if resp != nil && !slices.ContainsFunc(resp.Repairs, func(r llm.Repair) bool { return r.Kind == kind }) {
		resp.Repairs = append(resp.Repairs, llm.Repair{Kind: kind, Count: 1})
	}
}

// strictTools are the closed forms of tools as one schema, nil where there are none.
func strictTools(req *llm.Request) *llm.Schema {
	var all []byte
	for i := range req.Tools {
		all = append(all, req.Tools[i].Strict...)
	}
	if all == nil {
		return nil
	}
	return &llm.Schema{JSON: all, Strict: true}
}

// About says whether a failure is about the tools of a request, or, where it has none, about its format.
func About(f *Failure, req *llm.Request, aboutFormat func(*Failure) FormatRefusal) FormatRefusal {
	if len(req.Tools) > 0 {
		return aboutTools(f)
	}
	return aboutFormat(f)
}

// aboutTools looks for a refusal of the choice, or of the tools, in the words that servers have for it.
func aboutTools(f *Failure) FormatRefusal {
	switch {
	case !f.MayRefuseFormat():
	case f.Mentions("tool choice", "forces tool use", "force tool use", "forced tool",
		"function calling config", "function calling mode", "mode any", "tool config"):
		return ChoiceRefused
	case f.Malformed():
		return FormatTaken
	case f.MentionsStrict():
		return FormatUnknown
	case f.Mentions("schema", "grammar", "additionalproperties", "too complex"):
		return FormatSchema
	case f.Mentions("tools", "tool use", "tool call", "function call", "functions"):
		return ToolsRefused
	}
	return FormatTaken
}

// saysTools returns an error that says that the tools were refused.
func saysTools(err error, refusal FormatRefusal) error {
	call, ok := err.(*llm.CallError) //nolint:errorlint // it was just made
	if !ok || refusal == FormatTaken {
		return err
	}
	said := *call
	said.Message = strings.TrimSuffix("the server or its model does not take these tools: "+call.Message, ": ")
	return &said
}
