package job_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// paper returns a document of several pages, for a program that shows them; the same seed gives the same one. Of four
// that follow each other one has the table that is meant on page four or later, and one has 60 rows in it.
func paper(seed uint64) sampleCase {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), doc: &docxDocument{}, signs: []string{"+", "-", "@"}}
	g.lang = languages[seed%uint64(len(languages))]
	rows := 3 + g.IntN(30)
	if seed%4 == 1 {
		rows = 60
	}
	c := sampleCase{Seed: seed, Document: g.doc, Request: fmt.Sprintf(g.lang.request, g.lang.subject)}
	meant := g.meant(&c, rows)
	before := g.IntN(len(g.lang.others) + 1)
	pages := 0
	if seed%4 == 2 {
		before, pages = len(g.lang.others), 4
	}
	g.doc.Title("2024")
	for i, subject := range append(g.lang.others, "") {
		if i == before {
			for range pages * 40 {
				g.prose()
			}
			g.under(g.lang.subject, meant)
		}
		if subject != "" {
			g.prose()
			g.under(subject, g.another())
		}
	}
	return c
}

// prose adds a paragraph of one line or more.
func (g *generator) prose() {
	words := []string{g.lang.subject}
	for range 3 + g.IntN(20) {
		words = append(words, g.lang.names[g.IntN(len(g.lang.names))])
	}
	g.doc.Paragraph(strings.Join(words, " ") + ".")
}

// under adds a table under a heading or a caption that says what it is about.
func (g *generator) under(subject string, t docxTable) {
	if g.chance(2) {
		g.doc.Heading(1, "§")
		g.doc.Caption(g.lang.tableWord, subject)
	} else {
		g.doc.Heading(1+g.IntN(2), subject)
		g.prose()
	}
	g.doc.Table(t)
}

// another makes a table that is not meant.
func (g *generator) another() docxTable {
	t := docxTable{Rows: docxTexts([]string{"x", "y", "z"})}
	for i := range 2 + g.IntN(20) {
		t.Rows = append(t.Rows, docxTexts([]string{fmt.Sprint("x ", i), fmt.Sprint(g.IntN(90)), fmt.Sprint(-g.IntN(90))})...)
	}
	return t
}
