package store

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strconv"
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
	summedSize = lineSize - 9  // of it, what its checksum is of
	maxSeq     = 9_999_999_999 // what ten digits have room for
	maxLength  = 1<<31 - 1     // of the data of a record, in bytes
	maxTitle   = 4 << 10       // of the first line of any version, in bytes
	sectorSize = 512           // what a disk writes as a whole, or else not at all
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// title is the first line of a run's file.
func title(run string) []byte {
	line := fmt.Appendf(nil, "%s%d %s ", magic, version, strconv.QuoteToASCII(run))
	return append(appendSum(line, crc32.Checksum(line, castagnoli)), '\n')
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
	return v, err == nil && v > 0 && sum == string(appendSum(nil, crc32.Checksum(body, castagnoli)))
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

func (h head) append(b []byte) []byte {
	start := len(b)
	field := func(width int) { // fills the field that has just been written
		for end := start + width; len(b) < end; {
			b = append(b, ' ')
		}
	}
	b = strconv.AppendInt(append(b, '#'), h.seq, 10)
	field(12)
	b = strconv.AppendInt(b, h.first, 10)
	b = strconv.AppendInt(append(b, '-'), h.last, 10)
	field(34)
	b = strconv.AppendInt(b, h.length, 10)
	field(45)
	b = append(appendSum(b, h.sum), ' ')
	return append(appendSum(b, crc32.Checksum(b[start:], castagnoli)), '\n')
}

func appendSum(b []byte, sum uint32) []byte {
	return hex.AppendEncode(b, binary.BigEndian.AppendUint32(nil, sum))
}

// parseHead reads the line of a record, and reports whether it is one to the letter.
func parseHead(b []byte) (head, bool) {
	if len(b) < lineSize || b[0] != '#' || b[lineSize-1] != '\n' {
		return head{}, false
	}
	sum, err := strconv.ParseUint(string(b[summedSize:lineSize-1]), 16, 32)
	if err != nil || uint32(sum) != crc32.Checksum(b[:summedSize], castagnoli) {
		return head{}, false
	}
	batch, data := b[12:33], b[45:53]
	first, last, _ := bytes.Cut(batch, []byte("-"))
	h := head{seq: digits(b[1:11]), first: digits(first), last: digits(last), length: digits(b[34:44])}
	if sum, err = strconv.ParseUint(string(data), 16, 32); err != nil {
		return head{}, false
	}
	h.sum = uint32(sum)
	ordered := 0 < h.first && h.first <= h.seq && h.seq <= h.last && h.last <= maxSeq && 0 <= h.length && h.length <= maxLength
	return h, ordered && bytes.Equal(h.append(nil), b[:lineSize])
}

// digits is the number of a field, -1 for what is none.
func digits(b []byte) int64 {
	n, err := strconv.ParseInt(string(bytes.TrimRight(b, " ")), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// appendRecords writes records as they are in a file, behind the one with seq after. last is the line of the last one.
func appendRecords(b []byte, after int64, records [][]byte) (text []byte, last head) {
	h := head{seq: after, first: after + 1, last: after + int64(len(records))}
	for _, data := range records {
		h.seq++
		h.length, h.sum = int64(len(data)), crc32.Checksum(data, castagnoli)
		b = append(append(h.append(b), data...), '\n')
	}
	return b, h
}
