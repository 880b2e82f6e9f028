package builtin

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/spelling"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
)

// Proving is what an agent knows of how far its FINISH can be trusted. It is part of its data.
type Proving struct {
	Doubts  []Doubt           `json:"doubts,omitempty"`   // acts whose effect nobody saw
	Doubted int               `json:"doubted,omitempty"`  // how many there were
	Wrote   int               `json:"wrote,omitempty"`    // how many texts of plans there were
	Notes   []Written         `json:"notes,omitempty"`    // texts of the plan, where that binds nobody, and those that a FINISH left open
	Said    map[string]Answer `json:"said,omitempty"`     // what the model said of what was open, by its Key
	Refuted int               `json:"refuted,omitempty"`  // how often Verify said no
	Finding *proof.Finding    `json:"verified,omitempty"` // what Verify said last
}

// Doubt is an act of which nobody knows whether it had its effect.
type Doubt struct {
	ID   string `json:"id"`
	Key  string `json:"key"` // of the command
	What string `json:"what"`
}

// Written is a text of a plan. It keeps its id until the end of the task: else an answer could be
// meant for another text.
type Written struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Asked bool   `json:"asked,omitempty"` // a FINISH left it open
}

// Answer is what the model says of something that is open.
type Answer struct {
	Dropped bool   `json:"dropped,omitempty"` // else it was done in another way
	Why     string `json:"why,omitempty"`
}

// Open is something that a FINISH leaves open, which the model has to answer.
type Open struct {
	ID   string // what the model calls it
	Key  string // what its answer is kept under
	What string
	Free bool // nobody has to answer for it
}

const noteKey = "note: "

// OfNote is what a note is open as.
func OfNote(n Written) Open {
	return Open{ID: n.ID, Key: noteKey + n.Text, What: clip.Name(n.Text, promptsize.Phrase)}
}

// Kept is a copy, in which a step keeps what is written and said until it is decided.
func (p *Proving) Kept() Proving {
	c := *p
	c.Notes, c.Said = slices.Clone(p.Notes), maps.Clone(p.Said)
	return c
}

// Keep takes what is written and said in a copy.
func (p *Proving) Keep(c *Proving) { p.Wrote, p.Notes, p.Said = c.Wrote, c.Notes, c.Said }

// Write notes the texts of a plan, each once. A text that a later plan leaves out was done; but not
// one that the plan of a FINISH leaves out, and none that a FINISH left open.
func (p *Proving) Write(finish bool, texts ...string) {
	again := TextKeys(texts, func(text string) string { return text })
	p.Notes = slices.DeleteFunc(p.Notes, func(n Written) bool {
		return !finish && !n.Asked && !again[TextKey(n.Text)]
	})
	known := TextKeys(p.Notes, func(n Written) string { return n.Text })
	for _, text := range texts {
		if key := TextKey(text); key != "" && !known[key] {
			known[key] = true
			p.Wrote++
			p.Notes = append(p.Notes, Written{ID: "plan_" + strconv.Itoa(p.Wrote), Text: text})
		}
	}
}

// SameText reports whether two texts have the same [TextKey].
func SameText(a, b string) bool { return TextKey(a) == TextKey(b) }

// TextKey is the form in which texts are compared that a person or a model copied: without case,
// full-width forms of letters, and the number of spaces.
func TextKey(text string) string { return plan.Folded(text) }

// TextKeys is the set of the keys of some texts.
func TextKeys[T any](list []T, text func(T) string) map[string]bool {
	keys := make(map[string]bool, len(list))
	for _, entry := range list {
		keys[TextKey(text(entry))] = true
	}
	return keys
}

// Doubting notes the acts of a step whose effect nobody saw, and forgets those that were done
// once more with one that was seen.
func (p *Proving) Doubting(ctx context.Context, box *desktop.Toolbox, acted []acting.Acted) {
	doubtful := trace.Uncertain(ctx)
	unseen := slices.ContainsFunc(acted, func(done acting.Acted) bool { return done.Result.Unverified != "" })
	if len(doubtful) == 0 && len(p.Doubts) == 0 && !unseen {
		return // as mostly
	}
	uncertain := map[string]bool{}
	for _, cmd := range doubtful {
		uncertain[calls.Key(cmd)] = true
	}
	for i := range acted {
		done := &acted[i]
		key, why := calls.Key(done.Command), done.Result.Unverified
		if done.Result.Status == desktop.Failure && uncertain[key] {
			why = done.Result.Error
		}
		if done.Result.Status != desktop.Success && why == "" {
			continue // it did not happen
		}
		p.Doubts = slices.DeleteFunc(p.Doubts, func(d Doubt) bool { return d.Key == key })
		if why != "" {
			p.Doubted++
			p.Doubts = append(p.Doubts, Doubt{ID: "act_" + strconv.Itoa(p.Doubted), Key: key, What: actIn(box, done, why)})
		}
	}
}

// actIn is an act in words, without its secrets. Nothing in it is cut or escaped: who takes out
// further secrets could not find half of one, nor one with a quote in it.
func actIn(box *desktop.Toolbox, done *acting.Acted, why string) string {
	params := spoken(box.Mask(done.Command).Parameters)
	return fmt.Sprintf("%s %s: %s", done.Command.ToolName, clip.Name(params, promptsize.Phrase), clip.Name(why, promptsize.Phrase))
}

// spoken is a value as a person writes it: JSON without its escapes.
func spoken(v any) string {
	switch v := v.(type) {
	case string:
		return `"` + v + `"`
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = spoken(v[i])
		}
		return "[" + strings.Join(words, ",") + "]"
	case map[string]any:
		var words []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			words = append(words, spoken(name)+":"+spoken(v[name]))
		}
		return "{" + strings.Join(words, ",") + "}"
	}
	return idText(v)
}

// InDoubt returns the acts in doubt.
func (p *Proving) InDoubt() []Open {
	list := make([]Open, len(p.Doubts))
	for i, d := range p.Doubts {
		list[i] = Open{ID: d.ID, Key: d.ID, What: d.What}
	}
	return list
}

// Forget forgets what the model said: something was done since.
func (p *Proving) Forget() { p.Said = nil }

// ForgetAfter forgets what the model said where one of these acts was executed.
func (p *Proving) ForgetAfter(acted []acting.Acted) {
	if slices.ContainsFunc(acted, func(done acting.Acted) bool { return done.Result.Status == desktop.Success }) {
		p.Forget()
	}
}

// Undone is what came of something that is open at the end, nil where the model said that it was
// done. status and reason are for what it said nothing of.
func (p *Proving) Undone(o Open, task, status, reason string) []proof.Undone {
	undone := proof.Undone{ID: o.ID, Task: task, Status: status, Reason: reason}
	if said, answered := p.Said[o.Key]; answered {
		if !said.Dropped {
			return nil
		}
		undone.Status, undone.Reason = proof.Dropped, said.Why
	}
	return []proof.Undone{undone}
}

// Doubtful is what came of the acts in doubt.
func (p *Proving) Doubtful() (list []proof.Undone) {
	for _, o := range p.InDoubt() {
		list = append(list, p.Undone(o, o.What, proof.Open, "")...)
	}
	return list
}

// Hear keeps what a FINISH says of what it leaves open, also where that is not all. It returns how
// much was heard for the first time, and as the error what is left without a word, or wrong.
func (p *Proving) Hear(open []Open, said []string) (heard int, err error) {
	asked := make(map[string]bool, len(open))
	for _, o := range open {
		asked[o.Key] = true
	}
	for i := range p.Notes {
		n := &p.Notes[i]
		n.Asked = n.Asked || asked[noteKey+n.Text]
	}
	entries := entriesOf(said, open)
	for _, o := range open {
		answer, ok, wrong := answerOf(entries[Fold(o.ID)], o.ID)
		if wrong != nil && !o.Free {
			err = cmp.Or(err, wrong)
		}
		if !ok {
			continue
		}
		if _, known := p.Said[o.Key]; !known {
			heard++
		}
		if p.Said == nil {
			p.Said = map[string]Answer{}
		}
		p.Said[o.Key] = answer
	}
	return heard, cmp.Or(err, p.unanswered(open))
}

// unanswered names what nothing was said of, as much as the model is shown of a reason. When that
// is answered, the next reason names more.
func (p *Proving) unanswered(open []Open) error {
	text, first := "", ""
	named, more := 0, 0
	for _, o := range open {
		if _, known := p.Said[o.Key]; known || o.Free {
			continue
		}
		if more > 0 || named == promptsize.Listed || named > 0 && len(text)+len(o.What) > promptsize.Open {
			more++
			continue
		}
		if named++; named == 1 {
			first = o.ID
		} else {
			text += "; "
		}
		text += fmt.Sprintf("%s (%s)", o.ID, o.What)
	}
	if named == 0 {
		return nil
	}
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf(`FINISH is too early. Still open: %s. Do each first, or write into Open for each: "%s: done: how" or "%s: dropped: why"`,
		text, first, first)
}

// entriesOf are what the entries of Open say, by the folded ids. "a: b: done" is of "a: b" where both that and "a"
// are open: an entry is of the first id behind which an answer stands. It takes time linear in said.
func entriesOf(said []string, open []Open) map[string][]string {
	longest, entries := 0, make(map[string][]string, len(open))
	for _, o := range open {
		id := Fold(o.ID)
		longest, entries[id] = max(longest, len(id)), nil
	}
	var folded []byte
	for _, entry := range said {
		id, text, found := "", "", false
		folded = folded[:0]
		for rest := strings.TrimSpace(entry); len(folded) <= longest; {
			before, after, more := strings.Cut(rest, ":")
			if !more {
				break
			}
			folded, rest = spelling.AppendFold(folded, before), after
			if _, is := entries[string(folded)]; !is {
				continue
			}
			_, answers := answerIn(after)
			if answers || !found {
				id, text, found = string(folded), after, true
			}
			if answers {
				break
			}
		}
		if found {
			entries[id] = append(entries[id], text)
		}
	}
	return entries
}

// answerOf reads what the model says of something that is open.
func answerOf(said []string, id string) (answer Answer, ok bool, err error) {
	switch len(said) {
	case 0:
		return Answer{}, false, nil
	case 1:
		if answer, ok = answerIn(said[0]); ok {
			return answer, true, nil
		}
		id = clip.Name(id, promptsize.Name)
		return Answer{}, false, fmt.Errorf(`Open must say "%s: done: how" or "%s: dropped: why"`, id, id)
	}
	return Answer{}, false, fmt.Errorf("Open answers %q twice: write one answer", clip.Name(id, promptsize.Name))
}

// answerIn reads an answer, such as "dropped: nobody needs it".
func answerIn(text string) (answer Answer, ok bool) {
	text = strings.TrimSpace(text)
	first, why, _ := strings.Cut(text, ":")
	words := spelling.Words(first)
	if len(words) == 0 {
		return Answer{}, false
	}
	answer = Answer{Dropped: droppedWords[words[0]], Why: cmp.Or(strings.TrimSpace(why), text)}
	return answer, answer.Dropped || doneWords[words[0]]
}

var (
	doneWords    = set("done", "finished", "completed", "complete", "verified", "seen", "checked")
	droppedWords = set("dropped", "drop", "skipped", "skip", "abandoned", "unneeded", "unnecessary", "not")
)

// Verify asks whether a FINISH is true. It returns the decision that takes its place, nil where
// the FINISH counts. most is how often the answer may be no: negative is any.
func (p *Proving) Verify(ctx context.Context, verify proof.Func, claim proof.Claim, most int) (instead *fsm.Decision, err error) {
	p.Finding = nil
	if verify == nil {
		return nil, nil //nolint:nilnil // nobody says no
	}
	found, err := commands.Ask(ctx, commands.Verify, strconv.Itoa(p.Refuted+1), func(ctx context.Context) (proof.Finding, error) {
		return verify(ctx, claim)
	})
	if err != nil {
		return nil, err
	}
	switch found.Verdict = cmp.Or(proof.Verdict(strings.ToLower(string(found.Verdict))), proof.Unknown); found.Verdict {
	case proof.Yes, proof.No, proof.Unknown:
	default: // a no in other words must not count as none
		return nil, fmt.Errorf("%s: the verdict %q is not yes, no or unknown", commands.Verify, clip.Name(string(found.Verdict), promptsize.Name))
	}
	p.Finding = &found
	if found.Verdict != proof.No {
		return nil, nil //nolint:nilnil // likewise
	}
	p.Refuted++
	no := fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: "the check says that the task is not done: " + cmp.Or(found.Evidence, "it does not say why")}
	if most >= 0 && p.Refuted > most {
		no.To, no.Reason = fsm.Fail, fmt.Sprintf("the check rejected the answer %d times; the last: %s", p.Refuted, found.Evidence)
	}
	return &no, nil
}

// Claim is what Verify is told.
func (s Sections) Claim(request string, w *acting.Work, screenshot *desktop.Image) proof.Claim {
	c := proof.Claim{Request: request, Answer: w.Answer, Result: w.Result}
	for _, section := range s.shortened() {
		switch section.Name {
		case "request", "tools", "allowed_statuses", "last_error":
		default:
			c.Observed = append(c.Observed, section)
		}
	}
	if screenshot != nil {
		c.Screenshot = &llm.Image{MediaType: screenshot.MediaType, Data: screenshot.Data}
	}
	return c
}
