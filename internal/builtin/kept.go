package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

// Prompt is what a prompt says, what changes least first.
type Prompt struct {
	System     *Template
	Fields     func(*Offer) any // of System; the same in all prompts of an agent, but for Offered and the tools
	Offered    []fsm.Status     // what the model may answer
	Box        *desktop.Toolbox
	Groups     bool     // what the tools of each origin are for
	ToolCalls  bool     // the tools are beside the prompt
	Task       Sections // what stays while the task does
	Data       *Data
	Steps      int      // of the memory, at most
	Now        Sections // what is of this step
	Screenshot *desktop.Image
}

// Kept has the texts of an agent's prompts that the next prompt will have, too. They are
// written once, and not copied into the next.
type Kept struct {
	system  *SystemText
	offered []fsm.Status
	offer   *Offer
	offerOf offerKey
	about   []llm.Part // the system message of all these
	tools   *Offer     // of about
	task    Sections   // those of the prompt before, whose memory the next one uses
	now     Sections   // likewise
	texts   []keptText // of the sections of the prompt before
	next    []keptText // of the one that is written
	memos   []keptMemo
	calls   []llm.Tool // that a reply may call, see ToolCalls
	callsOf callsKey
	acts    []llm.Tool        // of calls, without the statuses
	cut     wholes            // of the section that is written
	wholes  map[string]wholes // of the sections of the last prompt that show something in part

	reply    *reply // that of ReplySchema
	replyBox *desktop.Toolbox
	replyFor []fsm.Status
}

// keptText is a section.
type keptText struct{ name, text string }

// keptMemo is a step as the history has it.
type keptMemo struct {
	raw  json.RawMessage // as the memory has it
	text string          // with the comma in front
}

// Begin returns the sections of the next prompt, which are empty. Those of the prompt before are
// not used any more.
func (k *Kept) Begin() (task, now Sections) {
	const few = 4 // as most prompts have
	if k.task == nil {
		k.task, k.now = make(Sections, 0, few), make(Sections, 0, few)
	}
	return k.task[:0], k.now[:0]
}

// Messages returns the prompt: the template and the tools as the system message, and the other
// sections with the screenshot as the user's. What never changes comes first, so that a provider
// that caches prompts reads most of it once.
func (k *Kept) Messages(p *Prompt) ([]llm.Message, error) {
	system, err := k.systemParts(p)
	if err != nil {
		return nil, err
	}
	const frame = 3 // of the history, and the screenshot
	k.next, k.task, k.now = k.next[:0], p.Task, p.Now
	user := make([]llm.Part, 0, len(p.Task)+len(p.Data.Memory.Recent(p.Steps))+len(p.Now)+frame)
	if user, err = k.sections(user, p.Task); err != nil {
		return nil, err
	}
	if len(user) > 0 {
		user[len(user)-1].CacheBreakpoint = true
	}
	if user, err = k.history(user, p); err != nil {
		return nil, err
	}
	if user, err = k.sections(user, p.Now); err != nil {
		return nil, err
	}
	clear(k.texts)
	k.texts, k.next = k.next, k.texts[:0]
	k.forget()
	if s := p.Screenshot; s != nil {
		user = append(user, llm.Part{Image: &llm.Image{MediaType: s.MediaType, Data: s.Data}})
	}
	return []llm.Message{{Role: llm.System, Parts: system}, {Role: llm.User, Parts: user}}, nil
}

// sections adds sections, each a part of its own. One that reads as it did in the prompt before is
// that text.
func (k *Kept) sections(to []llm.Part, list Sections) ([]llm.Part, error) {
	w := &section.Writer{}
	for i := range list {
		s := &list[i]
		var before keptText
		if at := slices.IndexFunc(k.texts, func(t keptText) bool { return t.name == s.Name }); at >= 0 {
			before = k.texts[at]
		}
		k.cut = nil
		if err := (cutter{&k.cut}).write(w, s); err != nil {
			return nil, err
		}
		k.remember(s.Name)
		text := before.text
		if text != string(w.Text()) {
			text = string(w.Text())
		}
		w.Cut()
		k.next = append(k.next, keptText{s.Name, text})
		to = append(to, llm.Part{Text: text})
	}
	return to, nil
}

// systemParts are the system message.
func (k *Kept) systemParts(p *Prompt) ([]llm.Part, error) {
	offer, err := k.offerFor(offerKey{p.Box, p.Groups, p.ToolCalls})
	if err != nil {
		return nil, err
	}
	if k.system != nil && slices.Equal(k.offered, p.Offered) && offer == k.tools {
		return k.about, nil
	}
	system, err := p.System.Text(p.Fields(offer))
	if err != nil {
		return nil, err
	}
	k.system, k.offered = system, slices.Clone(p.Offered)
	parts := []llm.Part{{Text: k.system.text}}
	if offer.text != "" {
		parts = append(parts, llm.Part{Text: "\n"}, llm.Part{Text: offer.text})
	}
	parts[len(parts)-1].CacheBreakpoint = true
	k.about, k.tools = slices.Clip(parts), offer
	return k.about, nil
}

// history adds the steps that the agent remembers, each a part of its own. The next prompt goes on
// after the last of them, and is cut at the same places.
func (k *Kept) history(to []llm.Part, p *Prompt) ([]llm.Part, error) {
	n := len(p.Data.Memory.Recent(p.Steps))
	if n == 0 {
		k.memos = nil
		return to, nil
	}
	log, err := p.Data.Memory.Save() // which encodes each memo once
	if err != nil {
		return nil, err
	}
	items := within(log.Items[len(log.Items)-n:])
	if was := slices.IndexFunc(k.memos, func(m keptMemo) bool { return same(m.raw, items[0]) }); was >= 0 {
		k.memos = k.memos[was:]
	}
	to = append(to, llm.Part{Text: section.Heading + "history\n" + section.Open + "\n[\n"})
	for i, raw := range items {
		if i == len(k.memos) || !same(k.memos[i].raw, raw) {
			k.memos = append(k.memos[:i], keptMemo{raw, section.Line(",\n", short(raw))})
		}
		text := k.memos[i].text
		if i == 0 {
			text = strings.TrimPrefix(text, ",\n")
		}
		to = append(to, llm.Part{Text: text, CacheBreakpoint: true})
	}
	return append(to, llm.Part{Text: "\n]\n" + section.Close + "\n\n"}), nil
}

// within leaves out the older steps of those that are too long together, until half of the
// bound is left: then what is left mostly begins as it did in the step before.
func within(items []json.RawMessage) []json.RawMessage {
	from, sum := 0, 0
	for i := range items {
		if sum += stepSize(items[i]); sum <= promptsize.History {
			continue
		}
		for ; from < i && sum > promptsize.History/2; from++ {
			sum -= stepSize(items[from])
		}
	}
	return items[from:]
}

// stepSize is what a step takes in the history.
func stepSize(raw json.RawMessage) int { return min(len(raw), promptsize.Step) + len(",\n") }

// short is a step without what is more than one may have: it has many actions.
func short(raw json.RawMessage) json.RawMessage {
	if len(raw) <= promptsize.Step {
		return raw
	}
	v, err := plainjson.Decode(raw)
	if err == nil {
		raw, err = encode(cutter{}.fit(v, promptsize.Step, 0, "", false))
	}
	if err != nil { // it is JSON
		return json.RawMessage("{}")
	}
	return raw
}

// same reports whether two lists are one: at the same place in the memory.
func same[T any](a, b []T) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
