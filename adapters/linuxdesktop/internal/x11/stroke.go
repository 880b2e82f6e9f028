package x11

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"
)

// Stroke is a key, and what is held with it.
type Stroke struct {
	sym              xproto.Keysym
	ctrl, alt, shift bool
}

// maxStrokes bounds what one call types.
const maxStrokes = 20_000

// named are the keys in braces. The numbers are those of keysymdef.h.
var named = map[string]xproto.Keysym{
	"ENTER": 0xff0d, "RETURN": 0xff0d, "TAB": 0xff09, "ESC": 0xff1b, "ESCAPE": 0xff1b, "SPACE": 0x20, "BACKSPACE": 0xff08, "BACK": 0xff08,
	"BS": 0xff08, "DELETE": 0xffff, "DEL": 0xffff, "INSERT": 0xff63, "HOME": 0xff50, "END": 0xff57, "PGUP": 0xff55, "PAGEUP": 0xff55,
	"F1": 0xffbe, "F2": 0xffbf, "F3": 0xffc0, "F4": 0xffc1, "F5": 0xffc2, "F6": 0xffc3, "F7": 0xffc4, "F8": 0xffc5, "F9": 0xffc6, "F10": 0xffc7,
	"F11": 0xffc8, "F12": 0xffc9, "PGDN": 0xff56, "PAGEDOWN": 0xff56, "UP": 0xff52, "DOWN": 0xff54, "LEFT": 0xff51, "RIGHT": 0xff53, "MENU": 0xff67,
}

// Keys reads the keys of keyboard_input: plain text, keys in braces, also {DOWN 3}, and ^, %
// and + before a key to hold Ctrl, Alt and Shift. {+} is the sign itself.
func Keys(keys string) (out []Stroke, err error) {
	var next Stroke
	for keys != "" {
		r, size := utf8.DecodeRuneInString(keys)
		keys = keys[size:]
		times := 1
		switch r {
		case '^':
			next.ctrl = true
			continue
		case '%':
			next.alt = true
			continue
		case '+':
			next.shift = true
			continue
		case '{':
			inside, behind, ok := strings.Cut(keys, "}")
			if inside == "" && strings.HasPrefix(behind, "}") { // {}}
				inside, behind = "}", behind[1:]
			}
			if !ok {
				return nil, fmt.Errorf("the brace of {%s is not closed; write {{} for the sign", clip(inside))
			}
			if next.sym, times, err = inBraces(inside); err != nil {
				return nil, err
			}
			keys = behind
		case utf8.RuneError:
			return nil, errors.New("the text is not UTF-8")
		default:
			next.sym = symOf(r)
		}
		if len(out)+times > maxStrokes {
			return nil, fmt.Errorf("these are more than %d keys", maxStrokes)
		}
		out = append(out, slices.Repeat([]Stroke{next}, times)...)
		next = Stroke{}
	}
	if next != (Stroke{}) {
		return nil, errors.New("the ^, % or + at the end has no key; write {^}, {%} or {+} for the sign")
	}
	return out, nil
}

// inBraces reads a key such as ENTER, DOWN 3 or +.
func inBraces(inside string) (sym xproto.Keysym, times int, err error) {
	name, count, many := strings.Cut(inside, " ")
	times = 1
	if many {
		if times, err = strconv.Atoi(count); err != nil || times < 1 || times > 1000 {
			return 0, 0, fmt.Errorf("{%s} must say how often as a number from 1 to 1000", clip(inside))
		}
	}
	if sym, ok := named[strings.ToUpper(name)]; ok {
		return sym, times, nil
	}
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 && r != utf8.RuneError {
		return symOf(r), times, nil
	}
	return 0, 0, fmt.Errorf("there is no key {%s}", clip(inside))
}

// clip returns no part of a long text: half a secret would not be found again.
func clip(s string) string {
	if len(s) > 20 {
		return fmt.Sprintf("(%d bytes)", len(s))
	}
	return s
}

// Text makes strokes of a text in which no sign has a meaning of its own. A line break is
// ENTER, a tab is TAB.
func Text(text string) []Stroke {
	out := make([]Stroke, 0, len(text))
	for _, r := range text {
		out = append(out, Stroke{sym: symOf(r)})
	}
	return out
}

// unicodeSyms is where the keysyms of Unicode begin.
const unicodeSyms = 0x01000000

// symOf returns the keysym of a character: Latin 1 has its own numbers, all others those of
// Unicode (X11 protocol, appendix A).
func symOf(r rune) xproto.Keysym {
	switch {
	case r == '\n', r == '\r':
		return named["ENTER"]
	case r == '\t':
		return named["TAB"]
	case r > 0xff:
		return unicodeSyms + xproto.Keysym(r)
	}
	return xproto.Keysym(r)
}

// String writes a stroke as [Keys] reads it, such as ^s, {ENTER} or a.
func (s Stroke) String() string {
	held := sign(s.ctrl, "^") + sign(s.alt, "%") + sign(s.shift, "+")
	if name, ok := names[s.sym]; ok {
		return held + "{" + name + "}"
	}
	r := rune(s.sym)
	if s.sym >= unicodeSyms {
		r = rune(s.sym - unicodeSyms)
	}
	if strings.ContainsRune("^%+{}", r) {
		return held + "{" + string(r) + "}"
	}
	return held + string(r)
}

func sign(held bool, sign string) string {
	if held {
		return sign
	}
	return ""
}

// names are the keys that have one, each once.
var names = func() map[xproto.Keysym]string {
	list := map[xproto.Keysym]string{}
	for name, sym := range named {
		if old, ok := list[sym]; !ok || name < old {
			list[sym] = name
		}
	}
	delete(list, ' ')
	return list
}()
