package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
)

// Known is what Config.Knowledge said of a task. It is part of an agent's data.
type Known struct {
	Asked    bool         `json:"asked,omitempty"`
	Sections []knownEntry `json:"known,omitempty"`
	LeftOut  []string     `json:"left_out,omitempty"` // what is said of the sections that are not used
}

// knownEntry is a section in its JSON form.
type knownEntry struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Learn asks once for a task, and again after an answer of which nothing can be used. What cannot be
// used is told to the model; only the end of ctx is an error.
func (k *Known) Learn(ctx context.Context, ask func(context.Context, fsm.Task) ([]llm.Section, error), task fsm.Task, v *View) error {
	if k.Asked {
		v.Unseen = append(v.Unseen, k.LeftOut...)
	}
	if ask == nil || k.Asked {
		return nil
	}
	said, err := commands.Ask(ctx, commands.Knowledge, task.ID, func(ctx context.Context) (known, error) {
		sections, err := ask(ctx, task)
		if err != nil {
			return known{Error: legible.Plain(err.Error())}, ctx.Err()
		}
		return entries(sections), nil
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return err
	case said.Error != "":
		v.Unseen = append(v.Unseen, "no knowledge: "+said.Error)
		return nil
	}
	k.Asked, k.Sections = true, said.Sections
	k.LeftOut = said.LeftOut
	v.Unseen = append(v.Unseen, k.LeftOut...)
	return nil
}

// known is what is recorded of an answer.
type known struct {
	Sections []knownEntry `json:"sections,omitempty"`
	LeftOut  []string     `json:"left_out,omitempty"`
	Error    string       `json:"error,omitempty"`
}

// entries are the sections in their JSON form, without those that a prompt cannot have, and those
// that are more than all together may be. Where none is left, why is the Error.
func entries(sections []llm.Section) (k known) {
	var wrong []string
	names, room, tooMuch := map[string]bool{}, promptsize.Knowledge, 0
	for _, s := range sections {
		raw, err := plainjson.Encode(s.Value)
		if err == nil {
			err = usable(s.Name, names)
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("section %q was left out: %s", clip.Text(s.Name, promptsize.Name), legible.Plain(err.Error())))
			continue
		}
		// A longer one is shortened when it is shown.
		takes := len(s.Name) + min(len(raw), promptsize.Section) + len("## \n```json\n\n```\n\n")
		if takes > room {
			tooMuch++
			continue
		}
		room -= takes
		names[s.Name] = true
		k.Sections = append(k.Sections, knownEntry{s.Name, raw})
	}
	if more := len(wrong) - promptsize.UnusableSections; more > 0 {
		wrong = append(wrong[:promptsize.UnusableSections], fmt.Sprintf("%d more sections were left out", more))
	}
	if tooMuch > 0 {
		wrong = append(wrong, fmt.Sprintf("%d of %d sections were left out: all together may have %d bytes", tooMuch, len(sections), promptsize.Knowledge))
	}
	if len(k.Sections) == 0 {
		return known{Error: strings.Join(wrong, "; ")}
	}
	for _, why := range wrong {
		k.LeftOut = append(k.LeftOut, "knowledge: "+why)
	}
	return k
}

// usable says what is wrong with the name of a section, beside those names. One that a prompt has for
// something else would speak for the agent, also in other letters.
func usable(name string, names map[string]bool) error {
	if ownSection(name) {
		return errors.New("its name is taken")
	}
	if names[name] {
		return errors.New("another section has its name")
	}
	if _, err := llm.Prompt(llm.Section{Name: name}); err != nil {
		return errors.New(clip.Text(strings.TrimPrefix(err.Error(), fmt.Sprintf("llm: section %q: ", name)), promptsize.Reason))
	}
	return nil
}

// ownSection reports whether an agent has a section of that name, in other letters perhaps.
func ownSection(name string) bool {
	name = Fold(name)
	for own := range promptsize.Sections {
		if Fold(own) == name {
			return true
		}
	}
	return name == Fold("request") || name == Fold("refused_reply")
}

// Add adds what is known to a prompt.
func (k *Known) Add(s *Sections) {
	for _, e := range k.Sections {
		s.Add(e.Name, e.Value, true)
	}
}
