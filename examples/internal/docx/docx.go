// Package docx reads a Word document as a reader of the printed page sees it: tracked insertions count; deletions,
// hidden text and text that is struck through do not. A raised digit stays one (1,204¹).
//
// An element that it does not know becomes [tables.Unknown] in the text, with the reason, so that no number is read
// wrongly. Tables inside of tables, headers, footers, notes and text boxes are not read.
package docx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// ErrNotWord says that a file is no Word document of 2007 or later, or has a password.
var ErrNotWord = errors.New("docx: not a Word document of 2007 or later, or protected by a password")

// maxPart bounds a part, in bytes.
const maxPart = 32 << 20

// Read reads the paragraphs and tables of a document.
func Read(data []byte) (list []tables.Block, err error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, ErrNotWord
	}
	main, document, err := part(z, "", "officeDocument")
	if err != nil || document.name() != "document" {
		return nil, errors.Join(err, ErrNotWord)
	}
	_, settings, err1 := part(z, main, "settings")
	_, styles, err2 := part(z, main, "styles")
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	r := newReader(settings, styles)
	for _, n := range document.child("body").all() {
		switch n.name() {
		case "tbl":
			list = append(list, tables.Block{Table: r.table(n)})
		case "p":
			list = append(list, r.paragraph(n).Block)
		}
	}
	return list, nil
}

// part reads the part to which another one has a relationship of a kind. A part that is missing is empty.
func part(z *zip.Reader, from, kind string) (name string, root *node, err error) {
	_, rels, err := open(z, path.Join(path.Dir(from), "_rels", path.Base("/"+from)+".rels"))
	for _, r := range rels.nodes() {
		if err == nil && path.Base(r.attr("Type")) == kind {
			target := r.attr("Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join("/", path.Dir(from), target)
			}
			return open(z, target[1:])
		}
	}
	return "", nil, err
}

func open(z *zip.Reader, name string) (string, *node, error) {
	file, err := z.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil, nil
	}
	root := &node{}
	if err == nil {
		defer file.Close() //nolint:errcheck // it is only read
		err = xml.NewDecoder(io.LimitReader(file, maxPart)).Decode(root)
	}
	if err != nil {
		return "", nil, fmt.Errorf("docx: broken file: %s: %w", name, err)
	}
	return name, root, nil
}

// node is an element. The methods of a nil one say that it is empty.
type node struct {
	XMLName xml.Name   `xml:""`
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []*node    `xml:",any"`
}

func (n *node) name() string {
	if n == nil {
		return ""
	}
	return n.XMLName.Local
}

func (n *node) nodes() []*node {
	if n == nil {
		return nil
	}
	return n.Nodes
}

// child returns the first child of that name, or nil.
func (n *node) child(name string) *node {
	for _, c := range n.nodes() {
		if c.name() == name {
			return c
		}
	}
	return nil
}

func (n *node) attr(name string) string {
	if n != nil {
		for _, a := range n.Attrs {
			if a.Name.Local == name {
				return a.Value
			}
		}
	}
	return ""
}

// on reports whether there is a property and it is switched on.
func (n *node) on() bool {
	v := n.attr("val")
	return n != nil && v != "0" && v != "false" && v != "off"
}

// all returns the children. Those of an element that only stands around them count as well.
func (n *node) all() (list []*node) {
	for _, c := range n.nodes() {
		if around[c.name()] {
			list = append(list, c.all()...)
		} else {
			list = append(list, c)
		}
	}
	return list
}
