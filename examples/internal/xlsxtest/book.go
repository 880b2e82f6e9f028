package xlsxtest

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// Book is a file that was read.
type Book struct {
	Sheets []Sheet
	Parts  []string // names of all files in the archive
}

// Sheet is one sheet.
type Sheet struct {
	Name   string
	Cells  map[string]Cell // by name, such as B7; those that are not empty
	Charts []Chart
	Page   Page
	Widths map[int]float64 // of columns, in characters; those that say one
	Rows   int             // number of the last row with a cell
	Cols   int             // number of the last column with a cell
}

// Cell is one cell.
type Cell struct {
	Kind    Kind
	Text    string // as it is stored: a text, the digits of a number, TRUE or FALSE
	Formula string
	Format  string // the number format, "" for the usual one
	Bold    bool
}

// Kind is what a cell holds.
type Kind string

// The kinds of cells.
const (
	Text    Kind = "text"
	Number  Kind = "number"
	Boolean Kind = "boolean"
)

// Open reads the file at path.
func Open(path string) (*Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("xlsxtest: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("xlsxtest: %w", err)
	}
	return Read(f, info.Size())
}

// Read reads a file of size bytes.
func Read(r io.ReaderAt, size int64) (*Book, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("xlsxtest: %w", err)
	}
	a := archive{}
	b := &Book{}
	for _, f := range z.File {
		if _, dup := a[f.Name]; dup {
			return nil, fmt.Errorf("xlsxtest: %s is there twice", f.Name)
		}
		a[f.Name] = f
		b.Parts = append(b.Parts, f.Name)
	}
	if err := b.read(a); err != nil {
		return nil, fmt.Errorf("xlsxtest: %w", err)
	}
	return b, nil
}

func (b *Book) read(a archive) error {
	var types struct {
		Override []struct {
			PartName string `xml:",attr"`
		}
	}
	if err := a.decode("[Content_Types].xml", &types); err != nil {
		return err
	}
	for _, o := range types.Override {
		if a[strings.TrimPrefix(o.PartName, "/")] == nil {
			return fmt.Errorf("the content types speak of %s, which is missing", o.PartName)
		}
	}
	root, err := a.rels("")
	if err != nil {
		return err
	}
	main, err := root.one("officeDocument")
	if err != nil {
		return err
	}
	var workbook struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := a.decode(main, &workbook); err != nil {
		return err
	}
	rels, err := a.rels(main)
	if err != nil {
		return err
	}
	look, err := a.look(rels)
	if err != nil {
		return err
	}
	for _, s := range workbook.Sheets {
		part, ok := rels.byID[s.ID]
		if !ok {
			return fmt.Errorf("sheet %s refers to %s, which is missing", s.Name, s.ID)
		}
		sheet, err := a.sheet(part, look)
		if err != nil {
			return err
		}
		sheet.Name = s.Name
		b.Sheets = append(b.Sheets, *sheet)
	}
	return nil
}

// archive is the parts of a file by name.
type archive map[string]*zip.File

func (a archive) decode(name string, into any) error {
	f := a[name]
	if f == nil {
		return fmt.Errorf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()            //nolint:errcheck // it was only read
	data, err := io.ReadAll(r) // to the end, where the checksum is
	if err == nil {
		err = xml.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// relations are what a part refers to.
type relations struct {
	of     string
	byID   map[string]string
	byType map[string][]string
}

func (a archive) rels(part string) (relations, error) {
	dir, base := path.Split(part)
	r := relations{of: part, byID: map[string]string{}, byType: map[string][]string{}}
	name := dir + "_rels/" + base + ".rels"
	if a[name] == nil {
		return r, nil
	}
	var list struct {
		Relationship []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:",attr"`
			Target string `xml:",attr"`
		}
	}
	if err := a.decode(name, &list); err != nil {
		return r, err
	}
	for _, rel := range list.Relationship {
		target := strings.TrimPrefix(rel.Target, "/")
		if target == rel.Target {
			target = path.Join(dir, target)
		}
		r.byID[rel.ID] = target
		kind := path.Base(rel.Type)
		r.byType[kind] = append(r.byType[kind], target)
	}
	return r, nil
}

func (r relations) one(kind string) (string, error) {
	if n := len(r.byType[kind]); n != 1 {
		return "", fmt.Errorf("%q has %d relations of type %s", r.of, n, kind)
	}
	return r.byType[kind][0], nil
}
