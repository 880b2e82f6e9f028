package shop_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// element is a part of a page, or a text in it.
type element struct {
	tag      string // "": a text
	text     string
	attr     map[string]string
	parent   *element
	children []*element
}

// parseHTML reads pages as the sites write them: well formed, but for what HTML closes
// by itself.
func parseHTML(r io.Reader) (*element, error) {
	d := xml.NewDecoder(r)
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	root := &element{tag: "document"}
	at := root
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{tag: token.Name.Local, attr: map[string]string{}, parent: at}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			at.children, at = append(at.children, e), e
		case xml.EndElement:
			if at.parent != nil {
				at = at.parent
			}
		case xml.CharData:
			at.children = append(at.children, &element{text: string(token), parent: at})
		}
	}
}

// all are an element and those inside it, in their order.
func (e *element) all() []*element {
	list := []*element{e}
	for _, c := range e.children {
		list = append(list, c.all()...)
	}
	return list
}

// tagged are those inside with one of these tags.
func (e *element) tagged(tags ...string) []*element {
	var list []*element
	for _, c := range e.all()[1:] {
		for _, tag := range tags {
			if c.tag == tag {
				list = append(list, c)
			}
		}
	}
	return list
}

// inside is the element of that tag which this one is in.
func (e *element) inside(tag string) *element {
	for ; e != nil && e.tag != tag; e = e.parent {
	}
	return e
}

func (e *element) has(attr string) bool {
	_, there := e.attr[attr]
	return there
}

// words is what a person reads in an element, fields left out.
func (e *element) words() string {
	var b strings.Builder
	for _, c := range e.all() {
		if p := c.parent; p == nil || p.tag != "option" && p.tag != "style" && p.tag != "script" {
			b.WriteString(c.text)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
