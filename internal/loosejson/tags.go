package loosejson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tag is <name>, </name>, [NAME], ◁name▷ or <|name|>.
type tag struct {
	name       string // folded
	start, end int
	closes     bool
	thought    bool // of what models think before they reply
	wrapper    bool // of the reply itself, or of the way in which it is sent
}

// thoughtStems are in the names of tags in which models think.
var thoughtStems = []string{
	"think", "thought", "reason", "reflect", "scratchpad", "analysis", "analyz", "analys", "monolog", "deliberat", "draft", "rationale",
	"ponder", "brainstorm", "critique",
}

// bracketed are those that some models write as [THINK]. A word in brackets is a
// word else.
var bracketed = set("think thinking thought thoughts reasoning reflection scratchpad")

// wrappers are the bare tags around a reply, and those that only format it. Any other tag, and each with
// a name or other attributes, belongs to something that the model shows, or is a call.
var wrappers = set("answer finalanswer final json output response result decision action actions toolcall toolcalls functioncall functioncalls " +
	"solution code pre p br div span b i strong em s bos startofturn")

// calls are the wrappers of a call.
var calls = set("action actions toolcall toolcalls functioncall functioncalls pythontag")

// marks are those of a chat's own, such as <|im_start|>, besides wrappers. In another one stand the parts of a call.
var marks = set("assistant message im eot eotid eom eomid headerid channel constrain start end return call text sentence turntoken chatbottoken pythontag box")

func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		all[name] = true
	}
	return all
}

// readTag reads the tag that begins at start.
func readTag(text string, start int) (tag, bool) {
	const longest, attributes = 128, 4096
	rest := text[start:min(start+longest, len(text))]
	switch {
	case strings.HasPrefix(rest, "<"):
		rest = text[start:min(start+attributes, len(text))]
		end := strings.IndexAny(rest[1:], ">\n<{")
		if end < 0 || rest[1+end] != '>' {
			return tag{}, false
		}
		return nameTag(rest[1:1+end], start, start+end+2)
	case strings.HasPrefix(rest, "["):
		end := strings.IndexAny(rest[1:min(len(rest), 32)], "]\n[{ ")
		if end < 0 || rest[1+end] != ']' {
			return tag{}, false
		}
		inner := rest[1 : 1+end]
		t, ok := nameTag(inner, start, start+end+2)
		t.thought = bracketed[t.name]
		t.wrapper = wrappers[t.name] && inner == strings.ToUpper(inner) // [TOOL_CALLS]
		return t, ok && (t.thought || t.wrapper)
	case strings.HasPrefix(rest, "◁"):
		end := strings.Index(rest, "▷")
		if end < 0 || strings.ContainsAny(rest[:end], "{｛\n<[") {
			return tag{}, false
		}
		return nameTag(rest[len("◁"):end], start, start+end+len("▷"))
	}
	return tag{}, false
}

// nameTag finds out what a tag is from what is in it.
func nameTag(inner string, start, end int) (tag, bool) {
	t := tag{start: start, end: end}
	bare := strings.Trim(inner, "|｜")
	mark := bare != inner // <|im_end|> and others of a chat's own
	bare = strings.TrimSpace(bare)
	bare, t.closes = strings.CutPrefix(bare, "/")
	bare = strings.TrimRight(strings.TrimSpace(bare), " /")
	attributes := strings.IndexAny(bare, " =")
	if attributes >= 0 {
		bare = bare[:attributes]
	}
	if r, _ := utf8.DecodeRuneInString(bare); !unicode.IsLetter(r) {
		return t, false
	}
	if at := strings.LastIndexByte(bare, ':'); at >= 0 {
		bare = bare[at+1:] // of a namespace, as in <seed:think>
	}
	t.name = fold(bare)
	if mark {
		t.place()
	}
	for _, stem := range thoughtStems {
		t.thought = t.thought || strings.Contains(t.name, stem)
	}
	t.wrapper = !t.thought && attributes < 0 && (wrappers[t.name] || mark && marks[t.name])
	return t, true
}

// fold is the form in which names are compared.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if !isWord(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// place takes out of the name of a mark whether it begins or ends something.
func (t *tag) place() {
	for _, word := range []string{"beginof", "begin", "startof", "start", "endof", "end"} {
		name, ok := strings.CutPrefix(t.name, word)
		if !ok {
			name, ok = strings.CutSuffix(t.name, word)
		}
		if ok && name != "" {
			t.name, t.closes = name, word[0] == 'e'
			return
		}
	}
}

// tag reads the tag at start, if there is one, and what it opens or closes.
func (f *finder) tag(start int) error {
	t, ok := readTag(f.text, start)
	f.work += t.end - t.start
	f.called = f.called || ok && t.wrapper && calls[t.name]
	switch {
	case !ok:
		return nil
	case t.thought && t.closes:
		f.stray(t)
	case t.thought:
		return f.think(t, t.end)
	case t.wrapper && t.name == "channel" && f.text[start] == '<':
		return f.channel(t)
	case t.wrapper && t.closes:
		f.close(t) // <message from="eve"> may have opened it
	case t.wrapper:
		f.pos = t.end
	case t.closes:
		f.close(t)
	default:
		if f.open == nil {
			f.open = map[string]int{}
		}
		f.open[t.name], f.pos = start, t.end
	}
	return nil
}

// close ends an element: what was found in it is something that the model shows.
func (f *finder) close(t tag) {
	f.pos = t.end
	open, ok := f.open[t.name]
	if !ok {
		return
	}
	delete(f.open, t.name)
	if f.last.start > open {
		f.last.start = -1
	}
	for n := len(f.free); n > 0 && f.free[n-1] > open; n = len(f.free) {
		f.free = f.free[:n-1]
	}
}
