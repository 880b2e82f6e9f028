package builtin

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/held"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// ReplySchema returns the closed schema of decisions of type T where these statuses and the
// tools of the box are offered: a model can be held to it. It is the one of the step before, as
// long as both are, and agents of one desktop share it. It is nil where it would be more than
// providers take. form is the same for one agent and one box.
func ReplySchema[T any](k *Kept, box *desktop.Toolbox, offered []fsm.Status, form ReplyForm) (*llm.Schema, error) {
	if k.replyBox == box && slices.Equal(k.replyFor, offered) {
		return k.reply.schema, nil
	}
	r, err := replies.Get(replyKey{box, reflect.TypeFor[T](), joined(offered), form}, func() (*reply, error) {
		shape, err := shapeOf[T]()
		if err != nil {
			return nil, err
		}
		return &reply{recent.get(shape, offered, k.toolsOf(box), form)}, nil // of this box alone: what recent holds would hold its key
	})
	if err != nil {
		return nil, err
	}
	k.reply, k.replyBox, k.replyFor = r, box, slices.Clone(offered)
	return r.schema, nil
}

// toolsOf are the tools that the model is offered.
func (k *Kept) toolsOf(box *desktop.Toolbox) []desktop.Tool {
	if k.offer != nil && k.offerOf.box == box {
		return k.offer.tools
	}
	return OfferedTools(box.Tools())
}

// replies are the schemas that some agent holds.
var replies held.Map[replyKey, reply]

type replyKey struct {
	box     *desktop.Toolbox
	typ     reflect.Type
	offered string
	form    ReplyForm
}

// ReplyForm says which fields of a decision are of no use where an agent is.
type ReplyForm struct {
	NoControls   bool // it sees none
	NoScreenshot bool // it sees none
	TextPlans    bool // its plans are texts
}

// reply is the schema of a reply, nil where it would be too much.
type reply struct{ schema *llm.Schema }

// recent are the schemas that were made last, so that the next round with the same tools makes
// none. They are bounded, and hold no toolbox.
var recent = recentReplies{made: map[[sha256.Size]byte]*llm.Schema{}}

const maxRecent, maxRecentBytes = 64, 16 << 10

type recentReplies struct {
	mu   sync.Mutex
	made map[[sha256.Size]byte]*llm.Schema // nil: it would be too much
}

func (r *recentReplies) get(shape *replyShape, offered []fsm.Status, tools []desktop.Tool, form ReplyForm) *llm.Schema {
	key := shape.key(offered, tools, form)
	r.mu.Lock()
	known, there := r.made[key]
	r.mu.Unlock()
	if there {
		return known
	}
	made := shape.closed(offered, tools, form)
	if made != nil && len(made.JSON) > maxRecentBytes {
		return made
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.made) == maxRecent {
		clear(r.made)
	}
	r.made[key] = made
	return made
}

// key tells schemas apart by all that they are made of.
func (s *replyShape) key(offered []fsm.Status, tools []desktop.Tool, form ReplyForm) (key [sha256.Size]byte) {
	h := sha256.New()
	b := make([]byte, 0, room)
	add := func(text string) {
		b = binary.AppendUvarint(b[:0], uint64(len(text)))
		_, _ = h.Write(append(b, text...)) // a Hash has no errors
	}
	add(s.name)
	for _, is := range [...]bool{form.NoControls, form.NoScreenshot, form.TextPlans} {
		add(strconv.FormatBool(is))
	}
	for _, status := range offered {
		add(string(status))
	}
	for i := range tools {
		add(tools[i].Name)
		b = binary.AppendUvarint(b[:0], uint64(len(tools[i].InputSchema)))
		_, _ = h.Write(b)
		_, _ = h.Write(tools[i].InputSchema)
	}
	h.Sum(key[:0])
	return key
}

const room = 64 // of most names

func joined(offered []fsm.Status) string {
	b := make([]byte, 0, room)
	for _, s := range offered {
		b = append(append(b, s...), '\n')
	}
	return string(b)
}

// replyShape is the closed schema of a type of decision without what tools and statuses say.
type replyShape struct {
	name    string // of the type
	members []loosejson.Member
	action  []loosejson.Member // of an element of Actions, beside its Call
	several bool               // there are Actions
}

var replyShapes sync.Map // from reflect.Type to *replyShape; an agent has one type

func shapeOf[T any]() (*replyShape, error) {
	if known, ok := replyShapes.Load(reflect.TypeFor[T]()); ok {
		return known.(*replyShape), nil
	}
	open, err := llm.SchemaOf[T](replyName)
	if err != nil {
		return nil, err
	}
	root, err := loosejson.Parse(string(open.JSON))
	if err != nil {
		return nil, err
	}
	properties, _ := root.Get("properties")
	typ := reflect.TypeFor[T]()
	shape := &replyShape{name: typ.PkgPath() + "." + typ.Name(), members: properties.Members}
	for i := range shape.members {
		m := &shape.members[i]
		switch m.Name {
		case "Plan": // an empty one says that nothing is left
			m.Value = closed.OrNull(closed.Plain(m.Value))
		case "Open":
			m.Value = closed.List(closed.Text)
		case "Actions":
			shape.several = true
			items, _ := m.Value.Get("items")
			inner, _ := items.Get("properties")
			for _, p := range inner.Members {
				if p.Name != "Function" && p.Name != "Args" {
					shape.action = append(shape.action, loosejson.Member{Name: p.Name, Value: closed.Plain(p.Value)})
				}
			}
		default:
			m.Value = closed.Plain(m.Value)
		}
	}
	replyShapes.Store(reflect.TypeFor[T](), shape)
	return shape, nil
}

const replyName = "decision"

// closed is the schema with these tools and statuses, nil where it is too much. Which Args there
// may be depends on the Function, and no provider takes a choice as the whole reply: where a reply
// may have Actions, it makes all its calls there, and else one in a Call.
func (s *replyShape) closed(statuses []fsm.Status, tools []desktop.Tool, form ReplyForm) *llm.Schema {
	given, shell := make([]closed.Tool, len(tools)), false
	for i := range tools {
		given[i] = closed.Tool{Name: tools[i].Name, Schema: tools[i].InputSchema}
		shell = shell || tools[i].Name == desktop.RunShell
	}
	members := make([]loosejson.Member, 0, len(s.members))
	for _, m := range s.members {
		switch m.Name {
		case "Args":
			continue
		case "Function":
			if s.several || len(tools) == 0 {
				continue
			}
			m = loosejson.Member{Name: callField, Value: closed.OrNull(closed.Calls(given))}
		case "Actions":
			if len(tools) == 0 {
				continue
			}
			call := closed.Calls(given)
			if !form.NoControls {
				call = closed.Object(slices.Concat(s.action, []loosejson.Member{{Name: callField, Value: call}})...)
			}
			m.Value = closed.List(call)
		case "Bash":
			if !shell {
				continue
			}
		case "ControlLabel", "ControlText":
			if s.several { // each call has its own
				continue
			}
		case "SaveScreenshot":
			if form.NoScreenshot {
				continue
			}
		case "Questions":
			if !slices.Contains(statuses, fsm.Pending) {
				continue
			}
		case "Plan":
			if form.TextPlans {
				m.Value = closed.OrNull(closed.List(closed.Text))
			}
		case "Status":
			m.Value = closed.Enum(statuses...)
		}
		members = append(members, m)
	}
	const size = 4 << 10 // of most
	whole := closed.Object(members...)
	if !closed.Fits(whole) {
		return nil
	}
	return &llm.Schema{Name: replyName, JSON: bytes.Clone(closed.Share(whole).Append(make([]byte, 0, size))), Strict: true}
}
