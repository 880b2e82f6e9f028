package playwright

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// The types of controls that are no roles of ARIA.
const (
	typePage      = "page"
	typeTab       = "browser tab"
	typeDialog    = "dialog"
	typeClickable = "clickable" // no role says that it can be clicked on, only the pointer does
	typeText      = "text"
	typeNote      = "note"
)

// The ids of controls that are no elements of the page.
const (
	idPage   = "page"
	idDialog = "dialog"
	idParts  = "parts"
)

func idTab(number int) string { return fmt.Sprintf("tab%d", number) }

var (
	// deeds are roles that people use: each such element is a control.
	deeds = set("button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "option", "slider", "spinbutton",
		"switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem")
	// ticks are roles that are on or off.
	ticks = set("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
	// passages are roles that are read as one text, with what can be used inside.
	passages = set("row", "listitem", "paragraph", "heading", "caption", "status", "alert", "blockquote", "code", "term", "definition",
		"tooltip", "log", "figure", "time", "note")
	// places are roles of which a model should know what is inside.
	places = set("table", "grid", "treegrid", "dialog", "alertdialog", "form", "navigation", "tablist", "menu", "menubar", "toolbar", "tree",
		"radiogroup", "search", "list")
)

func set(names ...string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}

// outline makes controls of elements: few, because each is paid for in every prompt.
type outline struct {
	frames bool              // what is inside them is shown
	texts  int               // that have no element
	within string            // the text of the row or list item around
	bare   bool              // texts are written without what is in fields
	whole  bool              // texts are written with all that is inside, in lines
	about  map[string]string // by ref: what a control belongs to, where that says more than its name
}

// maxWithin is how much of a row is said of each button in it: which row "Delete" deletes.
const maxWithin = 80

// list returns the controls that elements beside each other make.
func (o *outline) list(nodes []*node) []desktop.Control {
	var out []desktop.Control
	var loose []string // texts beside elements
	end := func() {
		if text := oneLine(strings.Join(loose, " ")); text != "" {
			o.texts++
			out = append(out, desktop.Control{ID: fmt.Sprintf("text%d", o.texts), Type: typeText, Value: cut(text, maxValue)})
		}
		loose = nil
	}
	labels := labelsOf(nodes)
	for _, n := range nodes {
		if n.role == "text" {
			if !labels[oneLine(n.text)] {
				loose = append(loose, n.text)
			}
			continue
		}
		inside := o.element(n)
		if len(inside) > 0 {
			end()
			out = append(out, inside...)
		}
	}
	end()
	return out
}

// labelsOf are the names of the fields and buttons among elements: the same text beside
// them is their label.
func labelsOf(nodes []*node) map[string]bool {
	names := map[string]bool{}
	for _, n := range nodes {
		if deeds[n.role] {
			names[oneLine(n.name)] = true
		}
	}
	return names
}

// element returns what one element makes: a control, or those inside it.
func (o *outline) element(n *node) []desktop.Control {
	c := desktop.Control{ID: n.ref, Type: kind(n), Name: oneLine(n.name)}
	switch {
	case n.ref == "":
		return o.list(append([]*node{{role: "text", text: n.text}}, n.children...))
	case n.role == "iframe":
		if c.Value = "[what is inside is not shown]"; o.frames {
			c.Value, c.Children = "", o.list(n.children)
		}
	case deeds[n.role] || c.Type == typeClickable:
		c.Value = o.valueOf(n)
		o.note(n)
		if c.Type == typeClickable && c.Name == "" {
			c.Name, c.Value = cut(o.text(n), maxName), state(n)
		}
		if o.within != "" && (n.role == "button" || c.Type == typeClickable) {
			c.Value = join(c.Value, "[in: "+o.within+"]")
		}
		if !chooses(n) {
			c.Children = o.usable(n.children)
		}
	case passages[n.role] || n.role == "generic" && hasText(n):
		text := o.text(n)
		if n.role == "row" || n.role == "listitem" {
			defer func(was string) { o.within = was }(o.within)
			o.within = o.item(n)
		}
		if c.Children = o.usable(n.children); text == "" && c.Name == "" {
			return c.Children
		}
		if text != c.Name {
			c.Value = cut(text, maxValue)
		}
		c.Value = join(c.Value, state(n))
	case n.role == "img":
		if c.Name == "" {
			return o.list(n.children)
		}
	default:
		if c.Children = o.list(n.children); n.text != "" {
			c.Value = cut(oneLine(n.text), maxValue)
		}
		if c.Value == "" && len(c.Children) == 0 && n.role != "progressbar" || !places[n.role] && c.Name == "" && c.Value == "" {
			return c.Children
		}
	}
	return []desktop.Control{c}
}

// kind is the type of an element's control.
func kind(n *node) string {
	if n.pointer && !deeds[n.role] && !slices.ContainsFunc(n.children, hasDeed) {
		return typeClickable
	}
	if n.role == "generic" {
		return typeText
	}
	return n.role
}

// hasDeed reports whether an element, or something inside it, is for the mouse.
func hasDeed(n *node) bool {
	return n.role != "text" && (deeds[n.role] || n.pointer) || slices.ContainsFunc(n.children, hasDeed)
}

// hasText reports whether an element has text of its own, that names no field.
func hasText(n *node) bool {
	if n.text != "" || n.name != "" {
		return true
	}
	labels := labelsOf(n.children)
	return slices.ContainsFunc(n.children, func(c *node) bool { return c.role == "text" && !labels[oneLine(c.text)] })
}

// usable are the controls inside an element whose text is shown as a whole.
func (o *outline) usable(nodes []*node) []desktop.Control {
	var out []desktop.Control
	for _, n := range nodes {
		switch {
		case n.role == "text":
		case n.ref != "" && (deeds[n.role] || n.role == "iframe" || kind(n) == typeClickable || ownControl(n)):
			out = append(out, o.element(n)...)
		default:
			out = append(out, o.usable(n.children)...)
		}
	}
	return out
}

// ownControl reports whether an element is a control beside the passage that it is in, such as a list in a list.
func ownControl(n *node) bool { return places[n.role] || n.role == "row" || n.role == "listitem" }

// text is what a person reads in an element.
func (o *outline) text(n *node) string {
	var b strings.Builder
	o.write(&b, n, true)
	return strings.TrimSpace(b.String())
}

func (o *outline) write(b *strings.Builder, n *node, outermost bool) {
	inside := !outermost
	own := ownControl(n)
	switch {
	case b.Len() > maxSnapshot, n.role == "iframe" && !o.frames, inside && own && !o.whole:
		return
	case (inside || o.whole) && deeds[n.role] && (n.name != "" || secret(n) || chooses(n) || o.bare && typed[n.role]):
		space(b, n.name)
		if value := o.valueOf(n); !o.bare && n.role != "link" && n.role != "button" && value != "" {
			space(b, ": "+value)
		}
		return
	case n.role == "img" || n.text == "" && len(n.children) == 0:
		space(b, n.name)
	}
	if o.whole && (own || passages[n.role]) {
		b.WriteByte('\n')
	}
	space(b, n.text)
	for i, c := range n.children {
		if i > 0 && n.role == "row" {
			b.WriteString(" |")
		}
		o.write(b, c, false)
	}
}

// space writes a text behind a blank.
func space(b *strings.Builder, s string) {
	if s = oneLine(s); s != "" {
		b.WriteByte(' ')
		b.WriteString(s)
	}
}

// chooses reports whether an element has its options as children without a ref.
func chooses(n *node) bool {
	return slices.ContainsFunc(n.children, func(c *node) bool { return c.role == "option" && c.ref == "" })
}

// options are the names of those that can be chosen, and of those that are.
func options(n *node) (all, chosen []string) {
	for _, c := range n.children {
		if c.role == "option" {
			all = append(all, c.name)
			if slices.Contains(c.states, "selected") {
				chosen = append(chosen, c.name)
			}
			continue
		}
		more, on := options(c) // a group of options
		all, chosen = append(all, more...), append(chosen, on...)
	}
	return all, chosen
}

// valueOf is the value of a control, with its states in brackets.
func (o *outline) valueOf(n *node) string {
	value := n.text
	switch {
	case n.role == "link":
		value = cut(n.url, maxURL)
	case secret(n):
		if value != "" {
			value = "***"
		}
	case chooses(n):
		all, chosen := options(n)
		value = oneLine(strings.Join(chosen, ", "))
		return join(cut(value, maxValue), state(n), "["+cut("options: "+oneLine(strings.Join(all, " | ")), maxValue)+"]")
	case n.role != "button" && value == "" && n.hint != "":
		value = "[hint: " + n.hint + "]"
	case n.name == "":
		value = o.text(n)
	case n.role == "button":
		value = ""
	}
	return join(cut(oneLine(value), maxValue), state(n))
}

var secretWords = regexp.MustCompile(`(?i)password|passwort|passphrase|passcode|mot de passe|contraseña|kennwort|wachtwoord|passwd|` +
	`cvv|cvc|security code|one-time code|secret|api key|access token`)

// secret reports whether a field is for a password, by its name: a snapshot shows
// what is in it like any other text.
func secret(n *node) bool {
	return (typed[n.role] || n.role == "combobox") && secretWords.MatchString(n.name+" "+n.hint)
}

func state(n *node) string {
	states := n.states
	if ticks[n.role] && !slices.ContainsFunc(states, func(s string) bool { return strings.HasPrefix(s, "checked") }) {
		states = append(slices.Clone(states), "not checked")
	}
	if len(states) == 0 {
		return ""
	}
	return "[" + strings.Join(states, ", ") + "]"
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
