package loosejson

import (
	"strings"
	"unicode/utf8"
)

// Find returns the one object that a model's reply holds, whatever stands
// around it. Objects that are equal count as one. Refused, with an [*Error]:
// no object, objects that differ, an array (with or without an object in it), a
// scalar, and a text in which an object begins and then breaks: what stands
// inside or behind it may not be what was meant.
func Find(text string) (Value, error) {
	text = withoutThinking(text)
	if v, ok := unquote(text); ok {
		return v, nil
	}
	var found *Value
	array := false
	for pos := 0; ; {
		start := strings.IndexAny(text[pos:], "{[")
		if start < 0 {
			break
		}
		start += pos
		if pos = start + 1; prose(text[start:]) {
			continue
		}
		p := parser{text: text, pos: start, quiet: true}
		v, err := p.value(0)
		pos = max(p.pos, pos)
		switch {
		case err != nil && p.certain:
			return Value{}, err
		case err != nil: // a brace in prose
		case v.Kind == Array:
			if holdsObject(v) {
				return Value{}, &Error{Offset: start, Reason: "an array where one object should be"}
			}
			array = true // [1] in prose, unless nothing else is there
		case found == nil:
			found = &v
		case !Equal(*found, v):
			return Value{}, &Error{Offset: start, Reason: "a second object, different from the first"}
		}
	}
	switch {
	case found != nil:
		return *found, nil
	case array:
		return Value{}, &Error{Offset: -1, Reason: "an array where one object should be"}
	case strings.TrimSpace(text) == "":
		return Value{}, &Error{Offset: -1, Reason: "the text is empty"}
	}
	if v, err := Parse(text); err == nil {
		return Value{}, &Error{Offset: -1, Reason: v.Kind.String() + " where one object should be"}
	}
	return Value{}, &Error{Offset: -1, Reason: "there is no JSON object in it"}
}

// prose tells most braces that begin no object by the character behind them,
// because a text may have a million: {{ and {1.
func prose(text string) bool {
	if text[0] != '{' || len(text) == 1 {
		return false
	}
	c := text[1]
	return c > ' ' && c < utf8.RuneSelf && !('a' <= c|0x20 && c|0x20 <= 'z') && strings.IndexByte(`"'_$/#}`, c) < 0
}

// withoutThinking drops the thoughts that some models write in front of their
// reply: drafts of it may be in there.
func withoutThinking(text string) string {
	rest := strings.TrimLeft(text, " \t\r\n\ufeff")
	for _, name := range []string{"think", "thinking"} {
		if body, ok := strings.CutPrefix(rest, "<"+name+">"); ok {
			if _, reply, ok := strings.Cut(body, "</"+name+">"); ok {
				return reply
			}
		}
	}
	return text
}

// unquote reads a reply that is a JSON string with the object inside.
func unquote(text string) (Value, bool) {
	if rest := strings.TrimLeft(text, " \t\r\n\ufeff"); !strings.HasPrefix(rest, `"`) {
		return Value{}, false
	}
	outer, err := Parse(text)
	if err != nil || outer.Kind != String {
		return Value{}, false
	}
	v, err := Parse(outer.Text)
	return v, err == nil && v.Kind == Object
}

func holdsObject(v Value) bool {
	for i := range v.Items {
		if v.Items[i].Kind == Object || holdsObject(v.Items[i]) {
			return true
		}
	}
	return false
}
