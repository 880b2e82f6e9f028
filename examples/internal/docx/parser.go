package docx

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDepth is how deep elements may nest. Word's own files stay under 100.
const maxDepth = 400

// parser walks one part. Its methods consume whole elements: when one is
// called, the start of its element has been read; when it returns, the end.
type parser struct {
	ctx    context.Context //nolint:containedctx // a parser lives as long as the call that makes it
	part   string
	dec    *xml.Decoder
	styles *styles
	limits Options
	depth  int
	tokens int
	blocks int // paragraphs so far
	cells  int // places in tables so far
}

func newParser(ctx context.Context, part string, data []byte, st *styles, limits Options) *parser {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if strings.EqualFold(label, "utf-16") { // toUTF8 has converted it
			return r, nil
		}
		return nil, fmt.Errorf("encoding %q", label)
	}
	return &parser{ctx: ctx, part: part, dec: dec, styles: st, limits: limits}
}

// token returns the next token; its bytes are valid until the next call.
func (p *parser) token() (xml.Token, error) {
	if p.tokens++; p.tokens%512 == 1 {
		if err := context.Cause(p.ctx); err != nil {
			return nil, &Error{Part: p.part, Err: err}
		}
	}
	t, err := p.dec.Token()
	if errors.Is(err, io.EOF) {
		return nil, broken(p.part, "it ends too early")
	}
	if err != nil {
		return nil, broken(p.part, err.Error())
	}
	switch t.(type) {
	case xml.StartElement:
		if p.depth++; p.depth > maxDepth {
			return nil, tooBig(p.part, fmt.Sprintf("elements nest deeper than %d", maxDepth))
		}
	case xml.EndElement:
		p.depth--
	case xml.Directive:
		return nil, broken(p.part, "it has a document type definition")
	}
	return t, nil
}

// root calls visit with the first element of the part and reads on to the end,
// so that a part that was cut off is noticed.
func (p *parser) root(visit func(xml.StartElement) error) error {
	for {
		t, err := p.token()
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := visit(e); err != nil {
				return err
			}
			return p.trailing()
		}
	}
}

func (p *parser) trailing() error {
	for {
		switch t, err := p.dec.Token(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return broken(p.part, err.Error())
		default:
			if _, ok := t.(xml.StartElement); ok {
				return broken(p.part, "more than one root element")
			}
		}
	}
}

// children calls visit for each child of the current element; visit consumes
// it.
func (p *parser) children(visit func(xml.StartElement) error) error {
	for {
		t, err := p.token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := visit(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// skip consumes the current element.
func (p *parser) skip() error {
	for target := p.depth - 1; p.depth > target; {
		if _, err := p.token(); err != nil {
			return err
		}
	}
	return nil
}

// other consumes an element that is not looked at.
func (p *parser) other(xml.StartElement) error { return p.skip() }

// text consumes the current element and returns its character data.
func (p *parser) text() (string, error) {
	var b strings.Builder
	for target := p.depth - 1; p.depth > target; {
		t, err := p.token()
		if err != nil {
			return "", err
		}
		if c, ok := t.(xml.CharData); ok {
			b.Write(c)
		}
	}
	return b.String(), nil
}

// through says whether the children of e are to be read as if they stood in
// its place.
func through(e xml.StartElement) bool {
	if !isW(e, e.Name.Local) {
		return false
	}
	switch e.Name.Local {
	case "ins", "moveTo", "sdt", "sdtContent", "customXml", "smartTag", "hyperlink", "fldSimple", "dir", "ruby", "rubyBase":
		return true
	}
	return false
}

// alternative reads the first of the alternatives that writers offer for
// newer and older readers; they say the same.
func (p *parser) alternative(visit func(xml.StartElement) error) error {
	taken := false
	return p.children(func(e xml.StartElement) error {
		if taken || e.Name.Space != spaceCompat {
			return p.skip()
		}
		taken = true
		return p.children(visit)
	})
}

const (
	spaceCompat = "http://schemas.openxmlformats.org/markup-compatibility/2006"
	spaceMath   = "http://schemas.openxmlformats.org/officeDocument/2006/math"
	spaceW      = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	spaceStrict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
)

// isW says whether e is Word's element of that name.
func isW(e xml.StartElement, local string) bool {
	return e.Name.Local == local && (e.Name.Space == spaceW || e.Name.Space == spaceStrict)
}

func isAlternative(e xml.StartElement) bool {
	return e.Name.Local == "AlternateContent" && e.Name.Space == spaceCompat
}

// attr returns an attribute by its local name; no element that is read here
// has two of one.
func attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// on reads an on/off value; an element without one means yes.
func on(val string, empty bool) bool {
	switch strings.ToLower(val) {
	case "":
		return empty
	case "0", "false", "off":
		return false
	}
	return true
}
