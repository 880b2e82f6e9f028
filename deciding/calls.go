package deciding

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// errNoCall says that a model which has tools only spoke.
var errNoCall = errors.New("deciding: the reply calls no tool: text alone does nothing")

// said is the decision in a reply, as a text for llm.Decode.
func (in *Inquiry[T]) said(ctx context.Context, reply *llm.Response) (string, error) {
	switch {
	case len(reply.Text) > promptsize.Written:
		return "", fmt.Errorf("deciding: the reply has %d bytes, and at most %d are read", len(reply.Text), promptsize.Written)
	case in.Tools == nil:
		return reply.Text, nil
	case len(reply.Calls) == 0:
		calls := in.written(reply.Text)
		if calls == nil {
			return "", errNoCall
		}
		if sink := trace.From(ctx); sink.Timed() {
			sink.Repaired([]llm.Repair{{Kind: repair.Call, Count: len(calls)}})
		}
		return in.Called("", calls)
	}
	calls, err := distinct(reply.Calls)
	if err != nil {
		return "", err
	}
	return in.Called(reply.Text, calls)
}

// distinct returns the calls, each id once: a gateway may give a call twice. Two calls of one id are an error.
func distinct(calls []llm.Call) (list []llm.Call, err error) {
	left, known := promptsize.Written, map[string]llm.Call{}
	for _, call := range calls {
		n := size(call.Args)
		if left -= n; left < 0 {
			return nil, fmt.Errorf("deciding: %s has %d bytes of arguments, and at most %d are read of all calls: give it less", clip.Name(call.Name, promptsize.Name), n, promptsize.Written)
		}
		same, there := known[call.ID]
		switch {
		case call.ID == "":
		case there && (same.Name != call.Name || !equal(same.Args, call.Args)):
			return nil, fmt.Errorf("deciding: two different calls have the id %q: make one at a time", clip.Name(call.ID, promptsize.Name))
		case there:
			continue
		}
		known[call.ID] = call
		list = append(list, call)
	}
	return list, nil
}

// size is how long arguments are. The record of a run escapes characters of HTML: that counts nothing.
func size(args json.RawMessage) int {
	n := len(args)
	for _, escaped := range []string{`\u003c`, `\u003e`, `\u0026`} {
		n -= (len(escaped) - 1) * bytes.Count(args, []byte(escaped))
	}
	return n
}

func equal(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := loosejson.Parse(string(a))
	y, errY := loosejson.Parse(string(b))
	return errX == nil && errY == nil && loosejson.Equal(x, y)
}

// written are the calls that a text is, if it is nothing else. Servers that do not know the form in which their
// model calls return it so.
func (in *Inquiry[T]) written(text string) (calls []llm.Call) {
	for _, v := range loosejson.Only(text) {
		call, known := llm.Call{}, false
		for _, m := range v.Members {
			switch m.Name {
			case "name", "tool_name":
				call.Name = m.Value.Text
				known = slices.ContainsFunc(in.Tools, func(t llm.Tool) bool { return t.Name == call.Name })
			case "arguments", "parameters":
				call.Args = m.Value.Append(nil)
			}
		}
		if !known || call.Args == nil || len(v.Members) != 2 {
			return nil
		}
		calls = append(calls, call)
	}
	return calls
}

// refused are the messages that tell the model what was wrong with its reply. Protocols want calls to
// be shown again, each with what came of it.
func (in *Inquiry[T]) refused(reply *llm.Response, unusable, problem error) ([]llm.Message, error) {
	if unusable != nil || len(reply.Calls) == 0 || in.Tools == nil {
		again := "Reply again with one JSON object that fits the schema."
		if in.Tools != nil {
			again = "Reply again with calls of your tools."
		}
		text, err := in.refusal(again, whole(reply), problem)
		return []llm.Message{llm.Text(llm.User, text)}, err
	}
	turn := llm.Message{Role: llm.Assistant, Calls: slices.Clone(reply.Calls), Reasoning: reply.Reasoning}
	if reply.Text != "" {
		turn.Parts = []llm.Part{{Text: string(section.Break([]byte(clip.Text(reply.Text, promptsize.Reply))))}}
	}
	messages := []llm.Message{turn}
	var unread strings.Builder // what of the calls cannot be shown as it was
	ids := map[string]bool{}
	for i := range turn.Calls {
		call := &turn.Calls[i]
		call.ID = string(section.Break([]byte(call.ID))) // some servers let a model choose it
		if call.ID == "" || ids[call.ID] {
			call.ID = fmt.Sprintf("call_%d", i+1)
		}
		ids[call.ID], call.Name = true, string(section.Break([]byte(call.Name)))
		var odd string
		if call.Args, odd = arguments(call.Args); odd != "" {
			unread.WriteString(call.Name + " " + odd + "\n")
		}
		call.Args = section.Escape(call.Args) // with another value the model would repeat that
		messages = append(messages, llm.Message{Role: llm.ToolResult, CallID: call.ID, Parts: []llm.Part{{Text: "Not done: see the result of the last call."}}})
	}
	text, err := in.refusal("Nothing of it was done: make your calls again, corrected.", unread.String(), problem)
	messages[len(messages)-1].Parts[0].Text = text
	return messages, err
}

// arguments are those of a call in the one form in which they are shown again: first as they came, and later
// from the record of a run, they must be the same. What servers would not take is left out, and returned as a text.
func arguments(raw json.RawMessage) (args json.RawMessage, odd string) {
	if size(raw) > promptsize.Written {
		return json.RawMessage("{}"), "(its arguments are too long to be shown)"
	}
	v, err := loosejson.Parse(string(raw))
	switch {
	case len(raw) == 0:
	case err != nil, v.Kind == loosejson.String: // a text that is no JSON
		odd = v.Text
	default:
		text := v.Append(nil) // as long as it will be in the record, whatever is escaped there
		if v.Kind == loosejson.Object && len(text) <= promptsize.Reply {
			return text, ""
		}
		odd = string(text)
	}
	return json.RawMessage("{}"), odd
}

// whole is a reply as a text.
func whole(reply *llm.Response) string {
	var text strings.Builder
	text.WriteString(reply.Text)
	for _, call := range reply.Calls {
		args, odd := arguments(call.Args)
		if odd == "" {
			odd = string(args)
		}
		text.WriteString("\n" + call.Name + " " + odd)
	}
	return text.String()
}
