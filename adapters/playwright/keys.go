package playwright

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
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
	held := ""
	press := func(key string) {
		out = append(out, stroke{key: held + key})
		held = ""
	}
	write := func(char string) {
		switch last := len(out) - 1; {
		case held != "":
			press(char)
		case last >= 0 && out[last].key == "":
			out[last].text += char
		default:
			out = append(out, stroke{text: char})
		}
	}
	for keys != "" {
		_, size := utf8.DecodeRuneInString(keys)
		char, rest := keys[:size], keys[size:]
		switch {
		case strings.Contains("^%+", char) && rest != "":
			held += map[string]string{"^": "Control+", "%": "Alt+", "+": "Shift+"}[char]
		case char == "{":
			inside, after, ok := strings.Cut(rest, "}")
			if inside == "" && strings.HasPrefix(after, "}") { // {}}
				inside, after = "}", after[1:]
			}
			name, known := keyNames[strings.ToUpper(inside)]
			switch {
			case ok && known:
				press(name)
			case ok && utf8.RuneCountInString(inside) == 1:
				write(inside)
			default:
				return nil, refuse("there is no key {%s}", clip.Name(inside, 60))
			}
			rest = after
		case char == "\n" || char == "\r":
			press("Enter")
		default:
			write(char)
		}
		keys = rest
	}
	if len(out) > maxPresses {
		return nil, refuse("these are more than %d keys", maxPresses)
	}
	return out, nil
}

// keys is keyboard_input. Text goes to the control that is named, keys to what has
// the focus, which the control gets first.
func (v *view) keys(ctx context.Context, a arguments) (desktop.Result, error) {
	list, err := strokes(a.Keys)
	if err != nil {
		return desktop.Result{}, err
	}
	var n *node
	if a.ID != "" {
		n, err = v.aim(ctx, a.ID, "")
	} else {
		_, err = v.same(ctx)
	}
	if err != nil {
		return desktop.Result{}, err
	}
	if a.Focus != nil && !*a.Focus {
		n = nil
	}
	if n != nil && (len(list) == 0 || list[0].text == "") {
		list = append([]stroke{{}}, list...) // an empty text gives the focus, and does nothing else
	}
	url := v.at
	for i, s := range list {
		if n == nil {
			// A key can open another page. The rest is not meant for that.
			now, err := v.settle(ctx)
			if err != nil {
				return desktop.Result{}, err
			}
			if i > 0 && (now.url != url || now.dialog != nil) {
				return desktop.Result{}, refuse("after %d of %d keys or texts another page or a dialog was there; the rest was not typed", i, len(list))
			}
			if focused := active(now.nodes); s.text != "" && focused != nil && typed[focused.role] {
				n = focused
			}
		}
		err := v.press(ctx, n, s)
		if isRefusal(err) && i > 0 {
			err = refuse("after %d of %d keys or texts: %v", i, len(list), err)
		}
		if err != nil {
			return desktop.Result{}, err
		}
		n = nil // after a key the focus is where it is
	}
	return v.after(ctx, "typed")
}

// press does one stroke: a text into the field n, or where the focus is.
func (v *view) press(ctx context.Context, n *node, s stroke) error {
	if n != nil {
		_, err := v.do(ctx, "browser_type", aimed(n, map[string]any{"text": s.text, "slowly": true}))
		return err
	}
	keys := []string{s.key}
	if s.key == "" { // the server types no text without a field
		keys = strings.Split(s.text, "")
	}
	if len(keys) > maxPresses {
		return refuse("these are more than %d keys, and no text field has the focus", maxPresses)
	}
	for _, key := range keys {
		if _, err := v.do(ctx, "browser_press_key", map[string]any{"key": key}); err != nil {
			return err
		}
	}
	return nil
}
