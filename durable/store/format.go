package store

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// The file of a run is text as far as its records are:
//
//	agentfsm journal 1 "order 12" e17e1ec4
//	#1          1-1                   16         ff4680aa dd052d5a
//	{"kind":"round"}
//	#2          2-3                   15         2858c073 22328561
//	{"kind":"call"}
//	…
//
// The first line has the version, the run and a checksum of the line up to it. The line of a record has its seq, the
// first and the last seq of what was appended with it, the length of its data, and checksums of the data and of the
// line up to it. All its fields have a fixed width, so that a damaged line cannot shift what is behind it. The data
// follows, and a line feed. Checksums are CRC-32C.

// version is what this code writes, and the newest that it reads.
const version = 1

const (
	magic      = "agentfsm journal "
	lineSize   = 63            // of a record
	maxSeq     = 9_999_999_999 // what ten digits have room for
	maxLength  = 1<<31 - 1     // of the data of a record, in bytes
	maxTitle   = 4 << 10       // of the first line of any version, in bytes
	sectorSize = 512           // what a disk writes as a whole, or else not at all
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// title is the first line of a run's file.
func title(run string) []byte {
	line := fmt.Appendf(nil, "%s%d %s ", magic, version, strconv.QuoteToASCII(run))
	return fmt.Appendf(line, "%08x\n", crc32.Checksum(line, castagnoli))
}

// titleVersion returns the version of a first line, of any version, whose checksum
// is right: what is between the version and the checksum may be anything.
func titleVersion(line []byte) (int, bool) {
	rest, found := bytes.CutPrefix(line, []byte(magic))
	line, ended := bytes.CutSuffix(line, []byte("\n"))
	if !found || !ended || len(rest) < len("1 00000000\n") {
		return 0, false
	}
	number, _, _ := bytes.Cut(rest, []byte(" "))
	v, err := strconv.Atoi(string(number))
	body, sum := line[:len(line)-8], string(line[len(line)-8:])
	return v, err == nil && v > 0 && sum == fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli))
}

// head is what the line of a record says.
type head struct {
	seq         int64
	first, last int64 // of what was appended at once
	length      int64 // of the data
	sum         uint32
}

// size is that of the whole record.
func (h head) size() int64 { return lineSize + h.length + 1 }

// line is the line of the record.
func (h head) line() []byte {
	b := fmt.Appendf(nil, "#%-10d %-21s %-10d %08x ", h.seq, fmt.Sprintf("%d-%d", h.first, h.last), h.length, h.sum)
	return fmt.Appendf(b, "%08x\n", crc32.Checksum(b, castagnoli))
}

// parseHead reads the line of a record, and reports whether it is one to the letter.
func parseHead(b []byte) (head, bool) {
	if len(b) < lineSize || b[0] != '#' {
		return head{}, false
	}
	fields := strings.FieldsFunc(string(b[1:lineSize]), func(r rune) bool { return r == ' ' || r == '-' })
	if len(fields) < 5 {
		return head{}, false
	}
	number := func(i, base int) int64 {
		n, _ := strconv.ParseInt(fields[i], base, 64) // if it is none, the line is another one
		return n
	}
	h := head{seq: number(0, 10), first: number(1, 10), last: number(2, 10), length: number(3, 10), sum: uint32(number(4, 16))} //nolint:gosec // likewise
	ordered := 0 < h.first && h.first <= h.seq && h.seq <= h.last && h.last <= maxSeq && 0 <= h.length && h.length <= maxLength
	return h, ordered && bytes.Equal(h.line(), b[:lineSize])
}

// appendRecords writes records as they are in a file, behind the one with seq after. last is the line of the last one.
func appendRecords(b []byte, after int64, records [][]byte) (text []byte, last head) {
	h := head{seq: after, first: after + 1, last: after + int64(len(records))}
	for _, data := range records {
		h.seq++
		h.length, h.sum = int64(len(data)), crc32.Checksum(data, castagnoli)
		b = append(append(append(b, h.line()...), data...), '\n')
	}
	return b, h
}
