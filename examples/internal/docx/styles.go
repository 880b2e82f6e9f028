package docx

import (
	"context"
	"encoding/xml"
	"path"
	"strconv"
	"strings"
)

type relationship struct{ Type, Target string }

// relationships reads a .rels part; one that is missing has none.
func (a *archive) relationships(ctx context.Context, name string) ([]relationship, error) {
	if !a.has(name) {
		return nil, nil
	}
	data, err := a.read(name)
	if err != nil {
		return nil, err
	}
	var rels []relationship
	p := newParser(ctx, name, data, nil, Options{})
	err = p.root(func(xml.StartElement) error {
		return p.children(func(e xml.StartElement) error {
			if attr(e, "TargetMode") != "External" {
				rels = append(rels, relationship{Type: attr(e, "Type"), Target: attr(e, "Target")})
			}
			return p.skip()
		})
	})
	return rels, err
}

// styles are the paragraph styles of a document, by id.
type styles struct {
	byID map[string]style
	def  string // id of the style of paragraphs that name none
}

type style struct {
	name, basedOn string
	outline       int // 0 to 8; 9: body text; -1: not said
}

// styles reads the styles that the main part refers to. A document may have
// none; then the ids of styles have to do.
func (a *archive) styles(ctx context.Context, main string) (*styles, error) {
	st := &styles{byID: map[string]style{}}
	dir := path.Dir(main)
	rels, err := a.relationships(ctx, path.Join(dir, "_rels", path.Base(main)+".rels"))
	if err != nil {
		return nil, err
	}
	name := path.Join(dir, "styles.xml")
	for _, r := range rels {
		if path.Base(r.Type) == "styles" {
			name = resolve(dir, r.Target)
		}
	}
	if !a.has(name) {
		return st, nil
	}
	data, err := a.read(name)
	if err != nil {
		return nil, err
	}
	p := newParser(ctx, name, data, nil, Options{})
	err = p.root(func(xml.StartElement) error {
		return p.children(func(e xml.StartElement) error {
			if !isW(e, "style") || attr(e, "type") != "paragraph" {
				return p.skip()
			}
			id := attr(e, "styleId")
			if on(attr(e, "default"), false) {
				st.def = id
			}
			s, err := p.style()
			st.byID[id] = s
			return err
		})
	})
	return st, err
}

func (p *parser) style() (style, error) {
	s := style{outline: -1}
	err := p.children(func(e xml.StartElement) error {
		switch {
		case isW(e, "name"):
			s.name = strings.ToLower(attr(e, "val"))
		case isW(e, "basedOn"):
			s.basedOn = attr(e, "val")
		case isW(e, "pPr"):
			return p.children(func(e xml.StartElement) error {
				if isW(e, "outlineLvl") {
					s.outline = outline(attr(e, "val"))
				}
				return p.skip()
			})
		}
		return p.skip()
	})
	return s, err
}

// outline reads an outline level; -1 when it says nothing.
func outline(val string) int {
	n, err := strconv.Atoi(val)
	if err != nil || n < 0 || n > 9 {
		return -1
	}
	return n
}

// role is what a style makes of a paragraph.
type role struct {
	heading bool
	level   int // 1 to 9; 0: the title
	caption bool
}

func outlineRole(n int) role {
	if n > 8 {
		return role{}
	}
	return role{heading: true, level: n + 1}
}

// role follows the styles that id is based on until one says something.
func (s *styles) role(id string) role {
	if id == "" {
		id = s.def
	}
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		st, known := s.byID[id]
		if !known {
			return namedRole(spaced(strings.ToLower(id)))
		}
		if st.outline >= 0 {
			return outlineRole(st.outline)
		}
		if r := namedRole(st.name); r != (role{}) {
			return r
		}
		id = st.basedOn
	}
	return role{}
}

// namedRole knows Word's own names, which are the same in every language.
func namedRole(name string) role {
	switch name {
	case "title":
		return role{heading: true}
	case "caption":
		return role{caption: true}
	}
	if digit, ok := strings.CutPrefix(name, "heading "); ok && len(digit) == 1 && digit >= "1" && digit <= "9" {
		return role{heading: true, level: int(digit[0] - '0')}
	}
	return role{}
}

// spaced makes a name of an id: heading2 is heading 2.
func spaced(id string) string {
	if digit, ok := strings.CutPrefix(id, "heading"); ok {
		return "heading " + strings.TrimSpace(digit)
	}
	return id
}
