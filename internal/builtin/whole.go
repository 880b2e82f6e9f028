package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// maxWhole is how many bytes one decision gets in place of what a prompt shows in part.
const maxWhole = 16 << 20

// wholes are what a section shows in part, by the name that it shows with that, such as
// prompt.controls.7.value.
type wholes map[string]json.RawMessage

// section keeps a section, and returns its name.
func (w *wholes) section(name string, raw json.RawMessage) string {
	path := w.child("prompt", name)
	if path == "" {
		return ""
	}
	return w.keep(path, bytes.Clone(raw))
}

// text keeps a text, and returns its name, which is path.
func (w *wholes) text(path, text string) string {
	raw, err := encode(text)
	if err != nil || path == "" {
		return ""
	}
	return w.keep(path, raw)
}

// keep returns nothing where the name means something else, such as one of two controls with the same id.
func (w *wholes) keep(path string, raw json.RawMessage) string {
	if was, there := (*w)[path]; there && !bytes.Equal(was, raw) {
		return ""
	}
	if *w == nil {
		*w = wholes{}
	}
	(*w)[path] = raw
	return path
}

// child is the name of what is inside of a value. Nobody can write a long or odd one.
func (w *wholes) child(path, name string) string {
	odd := func(r rune) bool { return !unicode.IsGraphic(r) || strings.ContainsRune(`"\`, r) }
	if w == nil || path == "" || name == "" || len(name) > promptsize.Name || strings.ContainsFunc(name, odd) {
		return ""
	}
	return path + "." + name
}

// known is the path, if it is a name.
func (w *wholes) known(path string) string {
	if path == "" || (*w)[path] == nil {
		return ""
	}
	return path
}

// remember keeps what the section shows in part that was written last.
func (k *Kept) remember(section string) {
	switch {
	case k.cut == nil:
		delete(k.wholes, section)
		return
	case k.wholes == nil:
		k.wholes = map[string]wholes{}
	}
	k.wholes[section] = k.cut
}

// forget drops what is of sections that the last prompt does not have.
func (k *Kept) forget() {
	maps.DeleteFunc(k.wholes, func(section string, _ wholes) bool {
		return !slices.ContainsFunc(k.texts, func(t keptText) bool { return t.name == section })
	})
}

// standIn is a whole until the references to the blackboard are resolved: in what they stand
// for there may be something that looks like a reference.
type standIn struct{ raw json.RawMessage }

// Resolve is [acting.Resolve] that also knows what the last prompt showed in part.
func (k *Kept) Resolve(board *blackboard.Board, args map[string]any) (map[string]any, error) {
	if len(k.wholes) == 0 {
		return acting.Resolve(board, args)
	}
	put := standing{k.wholes, maxWhole}
	hidden, err := put.hide(args)
	if err != nil {
		return nil, err
	}
	resolved, err := acting.Resolve(board, hidden.(map[string]any))
	if err != nil {
		return nil, err
	}
	shown, err := show(resolved)
	if err != nil {
		return nil, err
	}
	return shown.(map[string]any), nil
}

// ResolveJSON is Resolve for any JSON value.
func (k *Kept) ResolveJSON(board *blackboard.Board, raw json.RawMessage) (json.RawMessage, error) {
	if len(k.wholes) == 0 || !bytes.Contains(raw, []byte(`$ref`)) {
		return acting.ResolveJSON(board, raw)
	}
	v, err := plainjson.Decode(raw)
	if err != nil {
		return nil, err
	}
	resolved, err := k.Resolve(board, map[string]any{"": v})
	if err != nil {
		return nil, err
	}
	return json.Marshal(resolved[""])
}

// standing puts stand-ins into arguments.
type standing struct {
	wholes map[string]wholes
	left   int // bytes
}

func (s *standing) hide(v any) (any, error) {
	object, ok := v.(map[string]any)
	if ref, is := object["$ref"].(string); ok && is && len(object) == 1 {
		for _, section := range s.wholes {
			raw, known := section[ref]
			if !known {
				continue
			}
			if s.left -= len(raw); s.left < 0 {
				return nil, fmt.Errorf("all references together stand for more than %d bytes", maxWhole)
			}
			return standIn{raw}, nil
		}
	}
	return each(v, s.hide)
}

func show(v any) (any, error) {
	if put, ok := v.(standIn); ok {
		return plainjson.Decode(put.raw)
	}
	return each(v, show)
}

// each returns a value that was JSON with all that is inside of it changed.
func each(v any, change func(any) (any, error)) (any, error) {
	var err error
	switch v := v.(type) {
	case map[string]any:
		changed := make(map[string]any, len(v))
		for name, item := range v {
			if changed[name], err = change(item); err != nil {
				return nil, err
			}
		}
		return changed, nil
	case []any:
		changed := make([]any, len(v))
		for i := range v {
			if changed[i], err = change(v[i]); err != nil {
				return nil, err
			}
		}
		return changed, nil
	}
	return v, nil
}
