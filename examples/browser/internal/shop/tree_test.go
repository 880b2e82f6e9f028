package shop_test

import (
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// controls shows the page.
func (r *reader) controls() desktop.Control {
	r.number = 0
	page := desktop.Control{ID: "page", Type: "page", Value: r.at.String()}
	for _, t := range r.page.tagged("title") {
		page.Name = t.words()
	}
	if r.dialog != "" {
		page.Children = []desktop.Control{{ID: "dialog", Type: "dialog (alert)", Name: r.dialog}}
		return page
	}
	for _, body := range r.page.tagged("body") {
		page.Children = r.list(body)
	}
	return page
}

func (r *reader) list(e *element) []desktop.Control {
	var out []desktop.Control
	for _, c := range e.children {
		out = append(out, r.control(c)...)
	}
	return out
}

// roles are the types of elements that are shown with all that is in them as one text.
var roles = map[string]string{"h1": "heading", "h2": "heading", "p": "paragraph", "caption": "caption", "span": "text"}

func (r *reader) control(e *element) []desktop.Control {
	r.number++
	c := desktop.Control{ID: fmt.Sprintf("f%de%d", r.loads, r.number), Type: e.tag}
	if e.has("hidden") || e.attr["type"] == "hidden" || e.tag == "script" || e.tag == "style" || e.tag == "label" {
		return nil
	}
	switch e.tag {
	case "a":
		c.Type, c.Name, c.Value = "link", e.words(), e.attr["href"]
	case "button":
		c.Name = e.words()
	case "input":
		c.Type, c.Name, c.Value = "textbox", r.label(e), r.value(e)
		if c.Value == "" && e.attr["placeholder"] != "" {
			c.Value = "[hint: " + e.attr["placeholder"] + "]"
		}
		if e.attr["type"] == "password" && c.Value != "" {
			c.Value = "***"
		}
	case "select":
		c.Type, c.Name = "combobox", r.label(e)
	case "img":
		c.Name = e.attr["alt"]
	case "table":
		c.Children = r.list(e)
	case "tr":
		c.Type = "row"
		var cells []string
		for _, cell := range e.tagged("th", "td") {
			cells = append(cells, cell.words())
			c.Children = append(c.Children, r.list(cell)...)
		}
		c.Value = strings.TrimSpace(strings.Join(cells, " | "))
	case "nav":
		c.Type, c.Children = "navigation", r.list(e)
	default:
		if roles[e.tag] == "" {
			return r.list(e)
		}
		c.Type, c.Value = roles[e.tag], e.words()
		if role := e.attr["role"]; role != "" {
			c.Type = role
		}
		if c.Value == "" {
			return nil
		}
		if e.tag != "span" {
			c.Children = usable(r.list(e))
		}
	}
	r.shown[c.ID] = e
	return []desktop.Control{c}
}

// usable leaves out what is shown already as text.
func usable(list []desktop.Control) []desktop.Control {
	var out []desktop.Control
	for _, c := range list {
		if c.Type == "link" || c.Type == "button" || c.Type == "textbox" {
			out = append(out, c)
		}
	}
	return out
}

func (r *reader) label(field *element) string {
	for _, l := range r.page.tagged("label") {
		if l.attr["for"] == field.attr["id"] {
			return l.words()
		}
	}
	return ""
}
