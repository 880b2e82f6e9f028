package playwright

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
)

// maxPresses bounds what one keyboard_input presses: each key is a call.
const maxPresses = 100

// stroke is a key with what is held, as the server calls it, or a text.
type stroke struct {
	key  string
	text string
}

// keyNames are the names in braces, and the server's.
var keyNames = map[string]string{
	"ENTER": "Enter", "RETURN": "Enter", "TAB": "Tab", "ESC": "Escape", "ESCAPE": "Escape", "SPACE": "Space", "BACKSPACE": "Backspace",
	"BACK": "Backspace", "BS": "Backspace", "DELETE": "Delete", "DEL": "Delete", "HOME": "Home", "END": "End", "PGUP": "PageUp",
	"PAGEUP": "PageUp", "PGDN": "PageDown", "PAGEDOWN": "PageDown", "UP": "ArrowUp", "DOWN": "ArrowDown", "LEFT": "ArrowLeft",
	"RIGHT": "ArrowRight", "F1": "F1", "F2": "F2", "F3": "F3", "F4": "F4", "F5": "F5", "F6": "F6", "F7": "F7", "F8": "F8", "F9": "F9",
	"F10": "F10", "F11": "F11", "F12": "F12",
}

// strokes reads the parameter keys of keyboard_input: plain text, keys in braces,
// with ^, % and + for Ctrl, Alt and Shift before a key. {+} is the sign itself.
func strokes(keys string) ([]stroke, error) {
	var out []stroke
	var text strings.Builder
	end := func() {
		if text.Len() > 0 {
			out = append(out, stroke{text: text.String()})
			text.Reset()
		}
	}
	held := ""
	for keys != "" {
		r, size := utf8.DecodeRuneInString(keys)
		rest := keys[size:]
		switch {
		case strings.ContainsRune("^%+", r) && rest != "":
			held += map[rune]string{'^': "Control+", '%': "Alt+", '+': "Shift+"}[r]
		case r == '{':
			inside, behind, ok := strings.Cut(rest, "}")
			if inside == "" && strings.HasPrefix(behind, "}") { // {}}
				inside, behind = "}", behind[1:]
			}
			name, known := keyNames[strings.ToUpper(inside)]
			switch {
			case ok && known:
				end()
				out = append(out, stroke{key: held + name})
			case ok && utf8.RuneCountInString(inside) == 1 && held == "":
				text.WriteString(inside)
			case ok && utf8.RuneCountInString(inside) == 1:
				end()
				out = append(out, stroke{key: held + inside})
			default:
				return nil, refuse("there is no key {%s}", brief(inside))
			}
			rest, held = behind, ""
		case r == '\n' || r == '\r':
			end()
			out = append(out, stroke{key: held + "Enter"})
			held = ""
		case held != "":
			end()
			out = append(out, stroke{key: held + string(r)})
			held = ""
		default:
			text.WriteRune(r)
		}
		keys = rest
	}
	end()
	if len(out) > maxPresses {
		return nil, refuse("these are more than %d keys", maxPresses)
	}
	return out, nil
}

// keys is keyboard_input. Text goes to the control that is named, keys to what has
// the focus, which is given to the control first.
func (v *view) keys(ctx context.Context, a arguments) (desktop.Result, error) {
	list, err := strokes(a.Keys)
	if err != nil {
		return desktop.Result{}, err
	}
	var n *node
	switch {
	case a.ID != "":
		if n, err = v.aim(ctx, a.ID, ""); err != nil {
			return desktop.Result{}, err
		}
		if a.Focus != nil && !*a.Focus {
			n = nil
		}
	default:
		s, err := v.same(ctx)
		if err != nil {
			return desktop.Result{}, err
		}
		if s.dialog != nil {
			return desktop.Result{}, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
		}
	}
	if n != nil && (len(list) == 0 || list[0].text == "") {
		list = append([]stroke{{}}, list...) // an empty text gives the focus, and does nothing else
	}
	if n == nil && len(list) > 0 && list[0].text != "" {
		s, err := v.settle(ctx)
		if err != nil {
			return desktop.Result{}, err
		}
		n = focused(s.nodes)
	}
	for i, s := range list {
		if err := v.press(ctx, n, s); err != nil {
			if isRefusal(err) && i > 0 {
				return desktop.Result{}, refuse("after %d of %d keys or texts: %v", i, len(list), err)
			}
			return desktop.Result{}, err
		}
		n = nil // behind a key the focus is where it is
		if s.key == "" || i == len(list)-1 {
			continue
		}
		// A key can open another page. The rest is not meant for that.
		url := v.at
		if now, err := v.settle(ctx); err != nil {
			return desktop.Result{}, err
		} else if now.url != url || now.dialog != nil {
			return desktop.Result{}, refuse("after %d of %d keys or texts another page or a dialog was there; the rest was not typed", i+1, len(list))
		} else if list[i+1].text != "" {
			n = focused(now.nodes)
		}
	}
	return v.after(ctx, "typed")
}

// focused returns the text field that has the focus, nil when something else has it.
func focused(nodes []*node) *node {
	if n := active(nodes); n != nil && typed[n.role] {
		return n
	}
	return nil
}

// press does one stroke: a text into the field n, or where the focus is.
func (v *view) press(ctx context.Context, n *node, s stroke) error {
	if s.key != "" {
		_, err := v.do(ctx, "browser_press_key", map[string]any{"key": s.key})
		return err
	}
	if n != nil {
		_, err := v.do(ctx, "browser_type", aimed(n, map[string]any{"text": s.text, "slowly": true}))
		return err
	}
	// Key by key, and only those that a keyboard has: the server types no text without a field.
	if utf8.RuneCountInString(s.text) > maxPresses {
		return refuse("these are more than %d keys, and no text field has the focus", maxPresses)
	}
	for _, r := range s.text {
		if _, err := v.do(ctx, "browser_press_key", map[string]any{"key": string(r)}); err != nil {
			return err
		}
	}
	return nil
}
