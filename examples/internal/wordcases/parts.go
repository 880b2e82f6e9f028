package wordcases

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

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

// Parts returns the parts of a document by name, as Word writes them, in small.
func Parts(body string) map[string]string {
	return map[string]string{
		"[Content_Types].xml":          contentTypes,
		"_rels/.rels":                  packageRels,
		"word/_rels/document.xml.rels": documentRels,
		"word/styles.xml":              styles(),
		"word/document.xml":            head + `<w:document xmlns:w="` + spaceW + `"><w:body>` + body + `<w:sectPr/></w:body></w:document>`,
	}
}

// styles returns the styles that documents use.
func styles() string {
	var b strings.Builder
	b.WriteString(head + `<w:styles xmlns:w="` + spaceW + `"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>`)
	add := func(id, name, look string) {
		fmt.Fprintf(&b, `<w:style w:type="paragraph" w:styleId="%s"><w:name w:val="%s"/><w:basedOn w:val="Normal"/>%s</w:style>`, id, name, look)
	}
	add("Title", "Title", `<w:rPr><w:sz w:val="56"/></w:rPr>`)
	for level := range 3 {
		add(fmt.Sprintf("Heading%d", level+1), fmt.Sprintf("heading %d", level+1), fmt.Sprintf(`<w:pPr><w:keepNext/><w:outlineLvl w:val="%d"/></w:pPr><w:rPr><w:b/></w:rPr>`, level))
	}
	add("Caption", "caption", `<w:rPr><w:i/></w:rPr>`)
	return b.String() + `<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/></w:style></w:styles>`
}

// Zip makes an archive of parts by name, content types first.
func Zip(parts map[string]string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(parts)) { // "[" is before all letters
		w, err := z.Create(name)
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
