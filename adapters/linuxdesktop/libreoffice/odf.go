package libreoffice

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
)

// block is a part of a document, as read_document returns it.
type block struct {
	Number int    `json:"number"` // from 1
	Type   string `json:"type"`   // heading, paragraph, table, or note: what is there and not read
	Level  int    `json:"level,omitempty"`
	Style  string `json:"style,omitempty"` // of a heading or paragraph, as the program calls it, such as Caption
	Text   string `json:"text,omitempty"`

	// Of a table.
	Name   string     `json:"name,omitempty"`
	Rows   [][]string `json:"rows,omitempty"`
	Merged []merged   `json:"merged,omitempty"`
}

// merged is a cell that covers several places of a table; its text is in the first.
type merged struct {
	Row     int `json:"row"` // from 1
	Column  int `json:"column"`
	Rows    int `json:"rows"`
	Columns int `json:"columns"`
}

// element is a part of an XML file. inside has strings and elements.
type element struct {
	name   string
	attrs  map[string]string
	inside []any
}

func (e *element) elements() (list []*element) {
	for _, c := range e.inside {
		if c, ok := c.(*element); ok {
			list = append(list, c)
		}
	}
	return list
}

// UnmarshalXML reads an element with its texts in their order.
func (e *element) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	e.name, e.attrs = start.Name.Local, map[string]string{}
	for _, a := range start.Attr {
		e.attrs[a.Name.Local] = a.Value
	}
	for {
		token, err := d.Token()
		switch token := token.(type) {
		case xml.StartElement:
			c := &element{}
			if err := c.UnmarshalXML(d, token); err != nil {
				return err
			}
			e.inside = append(e.inside, c)
		case xml.CharData:
			e.inside = append(e.inside, string(token))
		case xml.EndElement:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// style is how texts look, by the names of OpenDocument.
type style struct {
	parent, name string
	text         map[string]string
}

// document is an OpenDocument text while it is read.
type document struct {
	styles map[string]style // by family and name
	fonts  map[string]string
	blocks []block
	notes  []string // what is beside the text, read or not
}

const maxXML = 64 << 20

// parse reads the OpenDocument text in a ZIP file.
func parse(data []byte) ([]block, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("the copy of the document: %w", err)
	}
	d := &document{styles: map[string]style{}, fonts: map[string]string{}}
	var body *element
	for _, name := range []string{"styles.xml", "content.xml"} {
		f, err := z.Open(name)
		if err != nil {
			return nil, fmt.Errorf("the copy of the document: %w", err)
		}
		root := &element{}
		err = errors.Join(xml.NewDecoder(io.LimitReader(f, maxXML)).Decode(root), f.Close())
		if err != nil {
			return nil, fmt.Errorf("the copy of the document: %s: %w", name, err)
		}
		for _, part := range root.elements() {
			switch part.name {
			case "font-face-decls", "styles", "automatic-styles":
				d.readStyles(part)
			case "body":
				body = part
			}
		}
	}
	if body == nil {
		return nil, errors.New("the copy of the document has no text")
	}
	d.read(body)
	for _, text := range d.notes {
		d.add(block{Type: "note", Text: text})
	}
	return d.blocks, nil
}

func (d *document) readStyles(part *element) {
	for _, e := range part.elements() {
		if e.name == "font-face" {
			d.fonts[e.attrs["name"]] = strings.Trim(e.attrs["font-family"], "'")
			continue
		}
		s := style{parent: e.attrs["parent-style-name"], name: e.attrs["display-name"]}
		if s.name == "" && part.name == "styles" {
			s.name = e.attrs["name"]
		}
		for _, p := range e.elements() {
			if p.name == "text-properties" {
				s.text = p.attrs
			}
		}
		d.styles[e.attrs["family"]+" "+e.attrs["name"]] = s
	}
}

// look returns how texts of a style look that are inside others, and what a person calls the style.
func (d *document) look(family, name string, outer map[string]string) (look map[string]string, title string) {
	var path []style
	for s, ok := d.styles[family+" "+name]; ok && len(path) < 100; s, ok = d.styles[family+" "+s.parent] {
		path, title = append(path, s), cmp.Or(title, s.name)
	}
	look = maps.Clone(outer)
	for _, s := range slices.Backward(path) {
		maps.Copy(look, s.text)
	}
	return look, title
}

func (d *document) add(b block) {
	b.Number = len(d.blocks) + 1
	d.blocks = append(d.blocks, b)
}

// read reads what is in the body, or in a part of it.
func (d *document) read(e *element) {
	for _, c := range e.elements() {
		switch {
		case c.attrs["display"] == "none", c.name == "tracked-changes", strings.HasSuffix(c.name, "-source"), strings.HasSuffix(c.name, "-decls"):
		case c.name == "p" || c.name == "h":
			text, title := d.paragraph(c)
			if text == "" {
				continue
			}
			b := block{Type: "paragraph", Style: title, Text: text}
			if c.name == "h" {
				b.Type = "heading"
				b.Level, _ = strconv.Atoi(c.attrs["outline-level"])
			}
			d.add(b)
		case c.name == "table":
			d.table(c)
		case drawn[c.name] != "":
			d.note(c)
		default: // a list, a section, an index
			d.read(c)
		}
	}
}

// drawn are parts of a document that are not in its text.
var drawn = map[string]string{
	"frame": "text frame", "custom-shape": "shape", "rect": "shape", "ellipse": "shape", "circle": "shape", "polygon": "shape", "path": "shape",
	"g": "group of shapes", "line": "shape", "polyline": "shape", "control": "control",
}

// note notes what is there and not read. A picture has no text.
func (d *document) note(e *element) {
	what := drawn[e.name]
	if e.name == "frame" {
		switch {
		case slices.ContainsFunc(e.elements(), func(c *element) bool { return strings.HasPrefix(c.name, "object") }):
			what = "embedded object"
		case !slices.ContainsFunc(e.elements(), func(c *element) bool { return c.name == "text-box" }):
			return
		}
	}
	d.notes = append(d.notes, "here is a "+what+", which is not read")
}

// run is a part of a paragraph that looks alike.
type run struct {
	text string
	look map[string]string
}

// paragraph is the text of a paragraph as a person sees it, and what its style is called.
func (d *document) paragraph(e *element) (text, title string) {
	look, title := d.look("paragraph", e.attrs["style-name"], map[string]string{})
	var b strings.Builder
	runs := d.runs(e, look, nil)
	for _, r := range runs {
		b.WriteString(d.shown(r, len(runs) > 1))
	}
	return atspi.OneLine(b.String()), title
}

// runs appends the texts inside an element.
func (d *document) runs(e *element, look map[string]string, list []run) []run {
	for _, inside := range e.inside {
		text, inner := "", look
		switch c := inside.(type) {
		case string:
			text = c
		case *element:
			switch {
			case c.name == "s":
				n, _ := strconv.Atoi(c.attrs["c"])
				text = strings.Repeat(" ", min(max(n, 1), 1000))
			case c.name == "tab" || c.name == "line-break":
				text = " "
			case c.name == "note":
				inner = maps.Clone(look)
				inner["text-position"] = "super"
				text = d.footnote(c)
			case drawn[c.name] != "":
				d.note(c)
			case c.name == "annotation", c.name == "ruby-text", c.name == "tracked-changes", c.attrs["is-hidden"] == "true":
			default:
				if c.name == "span" {
					inner, _ = d.look("text", c.attrs["style-name"], look)
				}
				list = d.runs(c, inner, list)
			}
		}
		switch last := len(list) - 1; {
		case text == "":
		case last >= 0 && maps.Equal(list[last].look, inner):
			list[last].text += text
		default:
			list = append(list, run{text, inner})
		}
	}
	return list
}

// footnote notes what a footnote says, and returns its mark.
func (d *document) footnote(e *element) (mark string) {
	var lines []string
	for _, c := range e.elements() {
		if c.name == "note-citation" {
			mark, _ = d.paragraph(c)
			continue
		}
		for _, p := range c.elements() {
			line, _ := d.paragraph(p)
			lines = append(lines, line)
		}
	}
	d.notes = append(d.notes, "note "+mark+": "+strings.Join(lines, " "))
	return mark
}

// shown writes a run as a person sees it. partly: the paragraph has others.
func (d *document) shown(r run, partly bool) string {
	position, _, _ := strings.Cut(r.look["text-position"], " ")
	through := cmp.Or(r.look["text-line-through-type"], r.look["text-line-through-style"], "none")
	font := cmp.Or(strings.Trim(r.look["font-family"], "'"), d.fonts[r.look["font-name"]])
	text := r.text
	switch {
	case r.look["display"] == "none":
		return ""
	case atspi.IsSymbols(font):
		text = atspi.Symbols(text)
	case position == "sub" || strings.HasPrefix(position, "-"):
		text = atspi.Lower(text)
	case position == "super" || strings.ContainsAny(position, "123456789"):
		text = atspi.Raise(text)
	}
	if through != "none" && partly {
		text = atspi.Strike(text)
	}
	return text
}
