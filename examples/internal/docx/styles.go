package docx

import (
	"cmp"
	"context"
	"encoding/xml"
	"path"
	"slices"
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

// styles are those of a document.
type styles struct {
	byID       map[string]style // of paragraphs
	characters map[string]style
	def        string // id of the style of paragraphs that name none
	base       look   // below all styles
}

type style struct {
	name, basedOn string
	outline       int // 0 to 8; 9: body text; -1: not said
	look          look
}

// styles reads the styles that the main part refers to. A document may have
// none; then the ids of styles have to do.
func (a *archive) styles(ctx context.Context, main string) (*styles, error) {
	st := &styles{byID: map[string]style{}, characters: map[string]style{}, base: look{}}
	err := a.related(ctx, main, "settings", func(p *parser, e xml.StartElement) error {
		if isW(e, "themeFontLang") {
			st.base["language"] = attr(e, "val")
		}
		return p.skip()
	})
	if err != nil {
		return nil, err
	}
	err = a.related(ctx, main, "styles", func(p *parser, e xml.StartElement) error {
		id := attr(e, "styleId")
		switch kind := attr(e, "type"); {
		case isW(e, "docDefaults"):
			return p.defaults(st)
		case isW(e, "style") && (kind == "character" || kind == "paragraph"):
			s, err := p.style()
			if kind == "character" {
				st.characters[id] = s
				return err
			}
			if on(attr(e, "default"), false) {
				st.def = id
			}
			st.byID[id] = s
			return err
		}
		return p.skip()
	})
	return st, err
}

// related calls visit for each child of the root of a part that the main part refers to, if there is one.
func (a *archive) related(ctx context.Context, main, kind string, visit func(*parser, xml.StartElement) error) error {
	dir := path.Dir(main)
	rels, err := a.relationships(ctx, path.Join(dir, "_rels", path.Base(main)+".rels"))
	if err != nil {
		return err
	}
	name := path.Join(dir, kind+".xml")
	for _, r := range rels {
		if path.Base(r.Type) == kind {
			name = resolve(dir, r.Target)
		}
	}
	if !a.has(name) {
		return nil
	}
	data, err := a.read(name)
	if err != nil {
		return err
	}
	p := newParser(ctx, name, data, nil, Options{})
	return p.root(func(xml.StartElement) error {
		return p.children(func(e xml.StartElement) error { return visit(p, e) })
	})
}

// defaults reads the look that is below all styles.
func (p *parser) defaults(st *styles) error {
	return p.children(func(e xml.StartElement) error {
		switch {
		case isW(e, "rPrDefault"):
			return p.defaults(st)
		case isW(e, "rPr"):
			l, err := p.look()
			st.base = l.over(st.base)
			return err
		}
		return p.skip()
	})
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
		case isW(e, "rPr"):
			l, err := p.look()
			s.look = l
			return err
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
	for _, st := range s.chain(s.byID, cmp.Or(id, s.def)) {
		if st.outline >= 0 {
			return outlineRole(st.outline)
		}
		if r := namedRole(st.name); r != (role{}) {
			return r
		}
	}
	return role{}
}

// chain is a style and those that it is based on.
func (s *styles) chain(among map[string]style, id string) (list []style) {
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		st, known := among[id]
		if !known {
			st = style{name: spaced(strings.ToLower(id)), outline: -1}
		}
		list = append(list, st)
		id = st.basedOn
	}
	return list
}

func (s *styles) look(among map[string]style, id string, base look) look {
	for _, st := range slices.Backward(s.chain(among, id)) {
		base = st.look.over(base)
	}
	return base
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
