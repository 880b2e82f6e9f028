package wordcases

import (
	"fmt"
	"html"
	"strings"
)

const (
	office   = "http://schemas.openxmlformats.org/officeDocument/2006/"
	wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml."
	spaces   = ` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="` + office + `math" xmlns:r="` + office + `relationships" xmlns:w=`
)

// Docx returns the document.
func (c *Case) Docx() []byte {
	parts := Parts(c.blocks())
	into := func(part, before, text string) {
		parts[part] = strings.Replace(parts[part], before, text+before, 1)
	}
	add := func(kind, text string) {
		parts["word/"+kind+".xml"] = fmt.Sprintf(`<w:%s xmlns:w="%s">%s</w:%s>`, kind, spaceW, text, kind)
		into("[Content_Types].xml", "</Types>", fmt.Sprintf(`<Override PartName="/word/%s.xml" ContentType="%s%s+xml"/>`, kind, wordType, kind))
		into("word/_rels/document.xml.rels", "</Rel", fmt.Sprintf(`<Relationship Id="%s" Type="%srelationships/%s" Target="%s.xml"/>`, kind, office, kind, kind))
	}
	for _, kind := range []string{"footnote", "endnote"} { // one, and the two lines that each part has
		var text strings.Builder
		for id, attr := range []string{` w:type="separator"`, ` w:type="continuationSeparator"`, ""} {
			fmt.Fprintf(&text, `<w:%s%s w:id="%d"><w:p>%s</w:p></w:%s>`, kind, attr, id-1, run("Provisional."), kind)
		}
		add(kind+"s", text.String())
	}
	if c.theme != "" {
		add("settings", `<w:themeFontLang w:val="`+c.theme+`"/>`)
	}
	if c.language != "" {
		into("word/styles.xml", "<w:style ", `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="`+c.language+`"/></w:rPr></w:rPrDefault></w:docDefaults>`)
	}
	into("word/styles.xml", "</w:styles>", c.styles)
	parts["word/document.xml"] = strings.Replace(parts["word/document.xml"], " xmlns:w=", spaces, 1)
	return Zip(parts)
}

// blocks makes WordprocessingML of the lines of the body.
func (c *Case) blocks() string {
	text, rows, table, row := "", "", "", ""
	for _, line := range append(c.body, "") {
		key, rest, _ := strings.Cut(line, " ")
		if key == "|" {
			rows, row = rows+"<w:tr><w:trPr>"+row+"</w:trPr>"+tableRow(rest)+"</w:tr>", ""
			continue
		}
		if rows != "" && key != "row:" {
			first, _, _ := strings.Cut(rows, "</w:tr>")
			text += `<w:tbl><w:tblPr>` + table + `<w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>` +
				strings.Repeat(`<w:gridCol w:w="2000"/>`, strings.Count(first, "<w:tc>")) + `</w:tblGrid>` + rows + `</w:tbl><w:p/>`
			rows, table = "", ""
		}
		switch key {
		case "":
		case "row:":
			row = rest
		case "table:":
			table = rest
		case "#":
			text += `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>` + run(rest) + `</w:p>`
		case "caption:":
			text += `<w:p><w:pPr><w:pStyle w:val="Caption"/></w:pPr>` + run(rest) + `</w:p>`
		default:
			text += `<w:p>` + run(line) + `</w:p>`
		}
	}
	return text
}

// tableRow makes cells. Each is a text, or what stands in its paragraph, or whole paragraphs; its properties may come
// before.
func tableRow(line string) string {
	var text strings.Builder
	for _, cell := range cells(line) {
		props, rest, ok := strings.Cut(cell, "</w:tcPr>")
		if !ok {
			props, rest = "<w:tcPr>", cell
		}
		if !strings.HasPrefix(rest, "<") {
			rest = run(rest)
		}
		if !strings.HasPrefix(rest, "<w:p>") {
			rest = "<w:p>" + rest + "</w:p>"
		}
		text.WriteString("<w:tc>" + props + "</w:tcPr>" + rest + "</w:tc>")
	}
	return text.String()
}

func run(text string) string {
	return `<w:r><w:t xml:space="preserve">` + html.EscapeString(html.UnescapeString(text)) + `</w:t></w:r>`
}
