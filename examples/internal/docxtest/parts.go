package docxtest

import "strings"

const (
	head   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	spaceW = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

	contentTypes = head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
		`</Types>`

	packageRels = head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>` +
		`</Relationships>`

	documentRels = head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>` +
		`</Relationships>`
)

// styles returns the styles that documents use, with names that are the same
// in every language, and ids that are not.
func (d *Document) styles() string {
	var b strings.Builder
	b.WriteString(head + `<w:styles xmlns:w="` + spaceW + `">`)
	b.WriteString(`<w:style w:type="paragraph" w:default="1" w:styleId="` + escape(d.id("Normal")) + `"><w:name w:val="Normal"/></w:style>`)
	based := `<w:basedOn w:val="` + escape(d.id("Normal")) + `"/>`
	add := func(id, name, look string) {
		b.WriteString(`<w:style w:type="paragraph" w:styleId="` + escape(d.id(id)) + `"><w:name w:val="` + name + `"/>` + based + look + `</w:style>`)
	}
	add("Title", "Title", `<w:rPr><w:sz w:val="56"/></w:rPr>`)
	for i, size := range []string{"32", "26", "24"} {
		n := string(rune('1' + i))
		add("Heading"+n, "heading "+n, `<w:pPr><w:keepNext/><w:outlineLvl w:val="`+string(rune('0'+i))+`"/></w:pPr><w:rPr><w:b/><w:sz w:val="`+size+`"/></w:rPr>`)
	}
	add("Caption", "caption", `<w:rPr><w:i/></w:rPr>`)
	var borders strings.Builder
	for _, side := range []string{"top", "left", "bottom", "right", "insideH", "insideV"} {
		borders.WriteString(`<w:` + side + ` w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
	}
	b.WriteString(`<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>` + borders.String() + `</w:tblBorders></w:tblPr></w:style>`)
	b.WriteString(`</w:styles>`)
	return b.String()
}
