package wordcases

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"strings"
)

const (
	spaceW   = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	office   = "http://schemas.openxmlformats.org/officeDocument/2006/"
	wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml."
	head     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	spaces   = `xmlns:w="` + spaceW + `" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
		`xmlns:m="` + office + `math" xmlns:r="` + office + `relationships" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`
)

// Docx returns the document.
func (c *Case) Docx() []byte {
	names := []string{"document", "styles", "settings", "footnotes", "endnotes"}
	types := `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
	rels := ""
	content := map[string]string{
		"document":  `<w:body>` + c.blocks() + `<w:sectPr/></w:body>`,
		"styles":    c.defaults() + standard + c.styles,
		"settings":  `<w:themeFontLang w:val="` + c.theme + `"/>`,
		"footnotes": notes("footnote"),
		"endnotes":  notes("endnote"),
	}
	if c.theme == "" {
		content["settings"] = ""
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name, text string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(head + text))
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	for i, name := range names {
		kind := name
		if i == 0 {
			kind = "document.main"
		} else {
			rels += fmt.Sprintf(`<Relationship Id="r%d" Type="%srelationships/%s" Target="%s.xml"/>`, i, office, name, name)
		}
		types += fmt.Sprintf(`<Override PartName="/word/%s.xml" ContentType="%s%s+xml"/>`, name, wordType, kind)
		add("word/"+name+".xml", fmt.Sprintf(`<w:%s %s>%s</w:%s>`, name, spaces, content[name], name))
	}
	const packages = "http://schemas.openxmlformats.org/package/2006/"
	relationships := func(list string) string {
		return `<Relationships xmlns="` + packages + `relationships">` + list + `</Relationships>`
	}
	add("word/_rels/document.xml.rels", relationships(rels))
	add("_rels/.rels", relationships(`<Relationship Id="r0" Type="`+office+`relationships/officeDocument" Target="word/document.xml"/>`))
	add("[Content_Types].xml", `<Types xmlns="`+packages+`content-types">`+types+`</Types>`)
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

const standard = `<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Cap"><w:name w:val="caption"/><w:basedOn w:val="Normal"/></w:style>`

func (c *Case) defaults() string {
	if c.language == "" {
		return ""
	}
	return `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="` + c.language + `"/></w:rPr></w:rPrDefault></w:docDefaults>`
}

// notes is the part of the footnotes or endnotes: one, and the two lines that each has.
func notes(kind string) string {
	text := ""
	for id, attr := range []string{` w:type="separator"`, ` w:type="continuationSeparator"`, ""} {
		text += fmt.Sprintf(`<w:%s%s w:id="%d"><w:p><w:r><w:t>Provisional.</w:t></w:r></w:p></w:%s>`, kind, attr, id-1, kind)
	}
	return text
}

// blocks makes WordprocessingML of the lines of the body.
func (c *Case) blocks() string {
	var b strings.Builder
	var rows []string
	table, row := "", ""
	flush := func() {
		if rows != nil {
			width := strings.Count(rows[0], "<w:tc>")
			b.WriteString(`<w:tbl><w:tblPr>` + table + `<w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>` +
				strings.Repeat(`<w:gridCol w:w="2000"/>`, width) + `</w:tblGrid>` + strings.Join(rows, "") + `</w:tbl><w:p/>`)
		}
		rows, table = nil, ""
	}
	for _, line := range append(c.body, "") {
		if text, ok := strings.CutPrefix(line, "|"); ok {
			rows, row = append(rows, tableRow(row, text)), ""
			continue
		}
		if text, ok := strings.CutPrefix(line, "row: "); ok {
			row = text
			continue
		}
		flush()
		key, text, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case key == "table:":
			table = text
		case key == "#":
			b.WriteString(paragraph(`<w:pPr><w:pStyle w:val="H1"/></w:pPr>` + run(text)))
		case key == "caption:":
			b.WriteString(paragraph(`<w:pPr><w:pStyle w:val="Cap"/></w:pPr>` + run(text)))
		case strings.HasPrefix(line, "<w:p>"), strings.HasPrefix(line, "<w:tbl>"):
			b.WriteString(line)
		default:
			b.WriteString(paragraph(run(line)))
		}
	}
	return b.String()
}

// tableRow makes a row. A cell is a text, or what stands in its paragraph, or its properties and then one of them, or
// whole paragraphs.
func tableRow(properties, line string) string {
	text := "<w:tr>"
	if properties != "" {
		text += "<w:trPr>" + properties + "</w:trPr>"
	}
	for _, cell := range cells(line) {
		props, rest, ok := strings.Cut(cell, "</w:tcPr>")
		if props += "</w:tcPr>"; !ok {
			props, rest = "<w:tcPr/>", cell
		}
		switch {
		case strings.HasPrefix(rest, "<w:p>"):
		case strings.HasPrefix(rest, "<"):
			rest = paragraph(rest)
		default:
			rest = paragraph(run(rest))
		}
		text += "<w:tc>" + props + rest + "</w:tc>"
	}
	return text + "</w:tr>"
}

func paragraph(inner string) string { return "<w:p>" + inner + "</w:p>" }

func run(text string) string {
	return `<w:r><w:t xml:space="preserve">` + html.EscapeString(html.UnescapeString(text)) + `</w:t></w:r>`
}
