package builtin

import (
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/held"
	"github.com/agentfsm/agentfsm/internal/section"
)

// Offer is what the prompts of an agent say of the tools of a Toolbox. Agents with the same tools,
// such as those of one desktop, share it.
type Offer struct {
	Some     bool   // there are tools that the model may call
	TextArgs string // the names of those without a closed form: their arguments are a text
	text     string

	tools []desktop.Tool
}

var offers held.Map[offerKey, Offer]

type offerKey struct {
	box    *desktop.Toolbox
	groups bool
	calls  bool // the tools are beside the prompt
}

// Offer returns that of a Toolbox; groups says whether it has what the tools of each origin are for.
func (k *Kept) Offer(box *desktop.Toolbox, groups bool) (*Offer, error) {
	return k.offerFor(offerKey{box: box, groups: groups, calls: k.offerOf.calls})
}

func (k *Kept) offerFor(key offerKey) (*Offer, error) {
	if k.offer == nil || k.offerOf != key {
		offer, err := offers.Get(key, func() (*Offer, error) { return newOffer(key) })
		if err != nil {
			return nil, err
		}
		k.offer, k.offerOf = offer, key
	}
	return k.offer, nil
}

func newOffer(key offerKey) (*Offer, error) {
	var sections Sections
	all := key.box.Tools()
	tools := OfferedTools(all)
	sections.Add("tools", listed(tools), len(tools) > 0 && !key.calls)
	if key.groups {
		list := Groups(all)
		sections.Add("tool_groups", list, len(list) > 0)
	}
	text, err := sections.text()
	var open []string
	for i := range tools {
		if !key.calls && !closed.Has(tools[i].InputSchema) {
			open = append(open, tools[i].Name)
		}
	}
	return &Offer{len(tools) > 0, string(section.Break([]byte(named(open)))), text, tools}, err
}

// named are a few names in words.
func named(tools []string) string {
	const few = 8
	switch n := len(tools); {
	case n == 0:
		return ""
	case n > few:
		return "tools for which the schema wants a text"
	case n > 1:
		return strings.Join(tools[:n-1], ", ") + " and " + tools[n-1]
	}
	return tools[0]
}
