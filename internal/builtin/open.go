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

// Settle keeps what a FINISH says of what it leaves open.
func (p *Proving) Settle(open []Open, said map[string]string) {
	for _, o := range open {
		answer, ok, _ := answerOf(said, o.ID)
		if !ok {
			continue
		}
		if p.Said == nil {
			p.Said = map[string]Answer{}
		}
		p.Said[o.Key] = answer
	}
}

// Dropped are the acts in doubt that the model gave up.
func (p *Proving) Dropped() (list []proof.Undone) {
	for _, d := range p.Doubts {
		if said := p.Said[d.ID]; said.Dropped {
			list = append(list, proof.Undone{ID: d.ID, Task: d.What, Status: proof.Dropped, Reason: said.Why})
		}
	}
	return list
}

// Unanswered says what a FINISH leaves open without a word, nil where that is nothing. said is
// what the model writes of it, by the ids.
func (p *Proving) Unanswered(open []Open, said map[string]string) error {
	var missing []string
	first := ""
	for _, o := range open {
		_, ok, err := answerOf(said, o.ID)
		if err != nil {
			return err
		}
		if _, known := p.Said[o.Key]; !ok && !known {
			missing, first = append(missing, fmt.Sprintf("%s (%s)", o.ID, o.What)), cmp.Or(first, o.ID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	shown := missing[:min(len(missing), promptsize.Listed)]
	text := strings.Join(shown, "; ")
	if more := len(missing) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf(`FINISH, but this is open: %s. Answer each in Open, such as {%q: "done: how"} or {%q: "dropped: why"}, or do it first`,
		text, first, first)
}

// answerOf reads what the model says of something that is open.
func answerOf(said map[string]string, id string) (answer Answer, ok bool, err error) {
	text := ""
	for name, value := range said {
		if Fold(name) == Fold(id) {
			if ok {
				return Answer{}, false, fmt.Errorf("Open says two things of %s", clip.Name(id, promptsize.Name))
			}
			text, ok = strings.TrimSpace(value), true
		}
	}
	if !ok {
		return Answer{}, false, nil
	}
	first, why, _ := strings.Cut(text, ":")
	words := spelling.Words(first)
	switch {
	case len(words) == 0:
	case doneWords[words[0]]:
		return Answer{Why: cmp.Or(strings.TrimSpace(why), text)}, true, nil
	case droppedWords[words[0]]:
		return Answer{Dropped: true, Why: cmp.Or(strings.TrimSpace(why), text)}, true, nil
	}
	return Answer{}, false, fmt.Errorf(`what Open says of %s must begin with "done:" or "dropped:"`, clip.Name(id, promptsize.Name))
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
	no := fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: "it is not finished: " + cmp.Or(found.Evidence, "so it was found")}
	if most >= 0 && p.Refuted > most {
		no.To, no.Reason = fsm.Fail, fmt.Sprintf("the answer was found to be wrong %d times; the last: %s", p.Refuted, found.Evidence)
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
