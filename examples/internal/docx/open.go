package docx

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"strings"
	"unicode/utf16"
)

// Options are the limits of reading. Zero means the default, negative none.
type Options struct {
	MaxFileBytes int64 // of the file itself; 64 MiB
	MaxPartBytes int64 // of one unpacked part; 64 MiB
	MaxCells     int   // of all tables together, as rectangles; 1,000,000
	MaxBlocks    int   // paragraphs, those in cells too; 1,000,000
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	limit := func(n, def int64) int64 {
		if n < 0 {
			return math.MaxInt64 - 1 // one more is still a number
		}
		return cmp.Or(n, def)
	}
	const million = 1_000_000
	out.MaxFileBytes = limit(out.MaxFileBytes, 64<<20)
	out.MaxPartBytes = limit(out.MaxPartBytes, 64<<20)
	out.MaxCells = int(min(limit(int64(out.MaxCells), million), math.MaxInt-1))
	out.MaxBlocks = int(min(limit(int64(out.MaxBlocks), million), math.MaxInt-1))
	return out
}

// Open reads the document in the file at name. Errors are [*Error].
func Open(ctx context.Context, name string, opts *Options) (*Document, error) {
	doc, err := open(ctx, name, opts)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Err: err}
		}
		e.Path = name
		return nil, e
	}
	return doc, nil
}

func open(ctx context.Context, name string, opts *Options) (*Document, error) {
	// Ask before opening: to open a named pipe would wait for its writer.
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{Err: ErrNotWord, Reason: "not a regular file"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return Read(ctx, f, info.Size(), opts)
}

// Read reads a document of size bytes. Errors are [*Error].
func Read(ctx context.Context, r io.ReaderAt, size int64, opts *Options) (*Document, error) {
	o := opts.withDefaults()
	if size > o.MaxFileBytes {
		return nil, tooBig("", fmt.Sprintf("%d bytes, at most %d", size, o.MaxFileBytes))
	}
	a, err := openArchive(r, size, o.MaxPartBytes)
	if err != nil {
		return nil, err
	}
	main, err := a.mainPart(ctx)
	if err != nil {
		return nil, err
	}
	st, err := a.styles(ctx, main)
	if err != nil {
		return nil, err
	}
	data, err := a.read(main)
	if err != nil {
		return nil, err
	}
	p := newParser(ctx, main, data, st, o)
	body, err := p.document()
	if err != nil {
		return nil, err
	}
	return assemble(body), nil
}

// archive is the zip file; names of parts do not depend on case.
type archive struct {
	parts   map[string]*zip.File
	maxPart int64
}

func openArchive(r io.ReaderAt, size, maxPart int64) (*archive, error) {
	magic := make([]byte, 8)
	n, err := r.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &Error{Err: err}
	}
	switch magic = magic[:n]; {
	case bytes.Equal(magic, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")): // a compound file
		return nil, &Error{Err: ErrProtected}
	case !bytes.HasPrefix(magic, []byte("PK")):
		return nil, &Error{Err: ErrNotWord, Reason: "no zip archive"}
	}
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // nothing is unpacked to disk
		return nil, broken("", err.Error())
	}
	a := &archive{parts: make(map[string]*zip.File, len(z.File)), maxPart: maxPart}
	for _, f := range z.File {
		key := partKey(f.Name)
		if _, dup := a.parts[key]; !dup {
			a.parts[key] = f
		}
	}
	return a, nil
}

func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func (a *archive) has(name string) bool { return a.parts[partKey(name)] != nil }

// read unpacks a part as UTF-8.
func (a *archive) read(name string) ([]byte, error) {
	f := a.parts[partKey(name)]
	if f == nil {
		return nil, broken(name, "missing")
	}
	over := fmt.Sprintf("more than %d bytes unpacked", a.maxPart)
	if f.UncompressedSize64 > uint64(a.maxPart) {
		return nil, tooBig(name, over)
	}
	r, err := f.Open()
	if err != nil {
		return nil, broken(name, err.Error())
	}
	defer r.Close() //nolint:errcheck // it was only read
	// The size in the archive may lie, so what comes out is counted.
	data, err := io.ReadAll(io.LimitReader(r, a.maxPart+1))
	if int64(len(data)) > a.maxPart {
		return nil, tooBig(name, over)
	}
	if err != nil {
		return nil, broken(name, err.Error())
	}
	return toUTF8(data), nil
}

func toUTF8(data []byte) []byte {
	var bigEndian bool
	switch {
	case bytes.HasPrefix(data, []byte{0xEF, 0xBB, 0xBF}):
		return data[3:]
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		bigEndian = true
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
	default:
		return data
	}
	data = data[2:]
	units := make([]uint16, len(data)/2)
	for i := range units {
		lo, hi := uint16(data[2*i]), uint16(data[2*i+1])
		if bigEndian {
			lo, hi = hi, lo
		}
		units[i] = hi<<8 | lo
	}
	return []byte(string(utf16.Decode(units)))
}

// mainPart finds the document through the relationships of the package; its
// name is only mostly word/document.xml.
func (a *archive) mainPart(ctx context.Context) (string, error) {
	rels, err := a.relationships(ctx, "_rels/.rels")
	if err != nil {
		return "", err
	}
	for _, r := range rels {
		if path.Base(r.Type) == "officeDocument" {
			if name := resolve("", r.Target); a.has(name) {
				return name, nil
			}
		}
	}
	if name := "word/document.xml"; a.has(name) {
		return name, nil
	}
	return "", &Error{Err: ErrNotWord, Reason: "no main document in the archive"}
}

// resolve gives the name of the part that target means in a part of folder dir.
func resolve(dir, target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join(dir, target)
}
