package docxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

// Document is being written. It is for one goroutine.
type Document struct {
	// StyleIDs gives styles other ids, as Word does in other languages:
	// "Heading1" to "berschrift1". Their names stay.
	StyleIDs map[string]string

	body     strings.Builder
	captions map[string]int
}

// New returns an empty document.
func New() *Document { return &Document{captions: map[string]int{}} }

// Title adds the title of the document.
func (d *Document) Title(text string) { d.styled("Title", run(text)) }

// Heading adds a heading of that level, 1 to 3.
func (d *Document) Heading(level int, text string) {
	d.styled(fmt.Sprintf("Heading%d", level), run(text))
}

// Paragraph adds text; "\t" and "\n" become a tab and a break.
func (d *Document) Paragraph(text string) { d.styled("", run(text)) }

// Caption adds a caption of Word's kind: label, number from a field, text.
func (d *Document) Caption(label, text string) {
	d.captions[label]++
	d.styled("Caption", run(label+" ")+
		`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> SEQ `+escape(label)+` \* ARABIC </w:instrText></w:r>`+
		`<w:r><w:fldChar w:fldCharType="separate"/></w:r>`+run(fmt.Sprint(d.captions[label]))+`<w:r><w:fldChar w:fldCharType="end"/></w:r>`+
		run(": "+text))
}

// Raw adds WordprocessingML as it is, with the prefix w.
func (d *Document) Raw(xml string) { d.body.WriteString(xml) }

// Table adds a table, and an empty paragraph: without one, Word makes one table
// of two.
func (d *Document) Table(t Table) { d.body.WriteString(t.xml() + "<w:p/>") }

func (d *Document) styled(style, content string) {
	d.body.WriteString("<w:p>")
	if style != "" {
		fmt.Fprintf(&d.body, `<w:pPr><w:pStyle w:val="%s"/></w:pPr>`, escape(d.id(style)))
	}
	d.body.WriteString(content + "</w:p>")
}

func (d *Document) id(style string) string {
	if id, ok := d.StyleIDs[style]; ok {
		return id
	}
	return style
}

// Parts returns the parts of the document by name.
func (d *Document) Parts() map[string]string {
	return map[string]string{
		"[Content_Types].xml":          contentTypes,
		"_rels/.rels":                  packageRels,
		"word/_rels/document.xml.rels": documentRels,
		"word/styles.xml":              d.styles(),
		"word/document.xml":            head + `<w:document xmlns:w="` + spaceW + `"><w:body>` + d.body.String() + `<w:sectPr/></w:body></w:document>`,
	}
}

// Bytes returns the file.
func (d *Document) Bytes() []byte { return Zip(d.Parts()) }

// WriteFile writes the file at path.
func (d *Document) WriteFile(path string) error {
	if err := os.WriteFile(path, d.Bytes(), 0o644); err != nil {
		return fmt.Errorf("docxtest: %w", err)
	}
	return nil
}

// Zip makes an archive of parts by name, content types first.
func Zip(parts map[string]string) []byte {
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, name)
	}
	sort.Strings(names) // "[" is before all letters
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err == nil {
			_, err = w.Write([]byte(parts[name]))
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// run is text as a w:r element.
func run(text string) string {
	var b strings.Builder
	b.WriteString("<w:r>")
	rest := text
	for rest != "" {
		i := strings.IndexAny(rest, "\t\n")
		plain := rest
		if i >= 0 {
			plain = rest[:i]
		}
		if plain != "" {
			b.WriteString(`<w:t xml:space="preserve">` + escape(plain) + `</w:t>`)
		}
		if i < 0 {
			break
		}
		b.WriteString(map[byte]string{'\t': "<w:tab/>", '\n': "<w:br/>"}[rest[i]])
		rest = rest[i+1:]
	}
	b.WriteString("</w:r>")
	return b.String()
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
