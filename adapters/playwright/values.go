package playwright

import (
	"slices"
	"strings"
)

// chooses reports whether an element has its options as children without a ref.
func chooses(n *node) bool {
	return slices.ContainsFunc(n.children, func(c *node) bool { return c.role == "option" && c.ref == "" })
}

// options are what can be chosen, and what is.
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
	if n.role == "link" || n.role == "button" {
		value = ""
	}
	switch {
	case secret(n):
		if value != "" {
			value = "***"
		}
	case n.role == "link":
		value = clip(oneLine(n.url), maxURL)
	case chooses(n):
		all, chosen := options(n)
		value = oneLine(strings.Join(chosen, ", "))
		return join(clip(value, maxValue), state(n), "["+clip("options: "+oneLine(strings.Join(all, " | ")), maxValue)+"]")
	case value == "" && n.hint != "":
		value = "[hint: " + n.hint + "]"
	case value == "" && n.name == "":
		value = o.inner(n)
	}
	return join(clip(oneLine(value), maxValue), state(n))
}

// inner is the text of a control without a name.
func (o *outline) inner(n *node) string {
	var b strings.Builder
	space(&b, n.text)
	for _, c := range n.children {
		o.write(&b, c, false)
	}
	return b.String()
}

// secret reports whether a field is for a password, by its name: a snapshot shows
// what is in it like any other text.
func secret(n *node) bool {
	if !typed[n.role] && n.role != "combobox" {
		return false
	}
	name := strings.ToLower(n.name + " " + n.hint)
	for _, word := range []string{"password", "passwort", "passphrase", "passcode", "mot de passe", "contraseña", "kennwort", "wachtwoord", "passwd",
		"cvv", "cvc", "security code", "one-time code", "secret", "api key", "access token"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
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
