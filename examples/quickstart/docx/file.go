package docx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// ErrNotWord says that a file is no Word document of 2007 or later, or has a password.
var ErrNotWord = errors.New("docx: not a Word document of 2007 or later, or protected by a password")

const (
	spaceW      = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	spaceStrict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
	maxPart     = 32 << 20 // bytes of a part, unpacked
)

// node is an element.
type node struct {
	XMLName xml.Name   `xml:""`
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

// name is the name of Word's own elements; other elements have a name with a colon.
func (n *node) name() string {
	if n.XMLName.Space == spaceW || n.XMLName.Space == spaceStrict {
		return n.XMLName.Local
	}
	return "other:" + n.XMLName.Local
}

func (n *node) attr(local string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// on reports whether a property is switched on.
func (n *node) on() bool {
	v := n.attr("val")
	return v != "0" && v != "false" && v != "off"
}

// child returns the first child of that name, an empty node for none.
func (n *node) child(name string) *node {
	for i := range n.Nodes {
		if n.Nodes[i].name() == name {
			return &n.Nodes[i]
		}
	}
	return &node{}
}

// Read reads the tables of a document, and the texts outside of them.
func Read(data []byte) (list []tables.Source, texts []string, err error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, ErrNotWord
	}
	main, doc, err := part(z, "", "officeDocument")
	if err != nil || doc.name() != "document" {
		return nil, nil, errors.Join(err, ErrNotWord)
	}
	_, settings, err1 := part(z, main, "settings")
	_, styles, err2 := part(z, main, "styles")
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, err
	}
	list, texts = newReader(settings, styles).body(doc.child("body"))
	return list, texts, nil
}

// part finds a part by the relationships of another one, and reads it.
func part(z *zip.Reader, from, kind string) (name string, root node, err error) {
	rels, err := read(z, path.Join(path.Dir(from), "_rels", path.Base("/"+from)+".rels"))
	for _, r := range rels.Nodes {
		if path.Base(r.attr("Type")) != kind || err != nil {
			continue
		}
		if name = path.Join(path.Dir(from), r.attr("Target")); strings.HasPrefix(r.attr("Target"), "/") {
			name = r.attr("Target")[1:]
		}
		root, err = read(z, name)
	}
	return name, root, err
}

// read reads a part; one that is missing is empty.
func read(z *zip.Reader, name string) (root node, err error) {
	for _, f := range z.File {
		if f.Name != strings.TrimPrefix(name, "/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return root, fmt.Errorf("docx: broken file: %w", err)
		}
		defer r.Close() //nolint:errcheck // it is only read
		data, err := io.ReadAll(io.LimitReader(r, maxPart+1))
		switch {
		case err != nil:
		case len(data) > maxPart:
			err = fmt.Errorf("%s has more than %d bytes", name, maxPart)
		default:
			err = xml.Unmarshal(data, &root)
		}
		if err != nil {
			return root, fmt.Errorf("docx: broken file: %w", err)
		}
	}
	return root, nil
}
