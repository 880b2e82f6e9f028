package rules

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// header is the first line of a file.
type header struct {
	file      string
	names     []string
	separator rune
}

// width is how many bytes of a header are read: of several files, and of one whose
// bytes may have to be escaped in a prompt.
const (
	width      = 300
	widthAlone = 250
)

func headLine(width int) string {
	return fmt.Sprintf(`test -f "$f" && head -n 1 -- "$f" | head -c %d | tr -d '\n'; printf '\n'`, width)
}

// headers reads the first line of each file.
func (s *script) headers(files []string) (list []header) {
	take := func(file, line string, width int) {
		if h, ok := parseHeader(line, width); ok {
			h.file = file
			list = append(list, h)
		} else {
			s.leave(file, "it has no header that I can read")
		}
	}
	s.each(files, 5, headLine(width), func(line string, batch []string) {
		out, whole, ok := s.run(line, "I have to know in which column of each file the numbers are.")
		if !ok {
			return
		}
		if firsts, ok := lines(out, whole, batch); ok {
			for i, first := range firsts {
				take(batch[i], first, width)
			}
			return
		}
		// They are too long for a prompt. One after another, so that one file does not
		// hide the others.
		s.each(batch, 1, headLine(widthAlone), func(line string, alone []string) {
			out, whole, ok := s.run(line, "The headers of these files are long.")
			if first, one := lines(out, whole, alone); ok && one {
				take(alone[0], first[0], widthAlone)
			} else if ok {
				s.leave(alone[0], "it has no header that I can read")
			}
		})
	})
	return list
}

// parseHeader reads a header. Its separator is the one that makes most of it. Where
// it was cut, its last name may be half of one.
func parseHeader(line string, width int) (best header, ok bool) {
	cut := len(line) >= width
	line = strings.TrimSuffix(strings.TrimPrefix(line, "\ufeff"), "\r")
	for _, separator := range ",;\t" {
		r := csv.NewReader(strings.NewReader(line))
		r.Comma = separator
		names, err := r.Read()
		if err == nil && len(names) > len(best.names) {
			best = header{names: names, separator: separator}
		}
	}
	if cut && len(best.names) > 0 {
		best.names = best.names[:len(best.names)-1]
	}
	return best, len(best.names) > 0
}

// all returns the names of all columns, each once.
func all(headers []header) (names []string) {
	for _, h := range headers {
		for _, name := range h.names {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// shown are names for a person: a few, quoted, since files can have anything in them.
func shown(names []string) (list []string) {
	for _, name := range names[:min(10, len(names))] {
		list = append(list, strconv.Quote(name))
	}
	return list
}

// place is where the numbers of some files are.
type place struct {
	column    int // from 1
	separator rune
	files     []string
}

// columns finds the column in each header, and groups the files by where it is.
func columns(headers []header, name string, s *script) (places []place) {
	for _, h := range headers {
		at := slices.IndexFunc(h.names, func(n string) bool { return strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(name)) })
		if at < 0 {
			s.leave(h.file, "it has no such column")
			continue
		}
		i := slices.IndexFunc(places, func(p place) bool { return p.column == at+1 && p.separator == h.separator })
		if i < 0 {
			i = len(places)
			places = append(places, place{column: at + 1, separator: h.separator})
		}
		places[i].files = append(places[i].files, h.file)
	}
	return places
}

// adder totals column k of CSV with the separator s: quotes, and line breaks
// between them, as RFC 4180 has them. It prints the total, how many cells were numbers
// and how many were something else; nothing when a quote is never closed. It is
// one text whatever the files are, so that who approves it need read it once.
const adder = `function f(  p, v) { if (substr(r, 1, 1) != "\"") { p = index(r, s); v = p ? substr(r, 1, p - 1) : r; r = p ? substr(r, p + 1) : ""; return v }
r = substr(r, 2); while (p = index(r, "\"")) { v = v substr(r, 1, p - 1); r = substr(r, p + 1); if (substr(r, 1, 1) != "\"") break; v = v "\""; r = substr(r, 2) }
p = index(r, s); r = p ? substr(r, p + 1) : ""; return v }
{ q = $0; n = gsub(/"/, "", q); r = o ? r "\n" $0 : $0; o = (o + n) % 2; if (o || !h++) next
sub(/\r$/, "", r); for (i = 1; i <= k; i++) v = f(); gsub(/^[ \t]+|[ \t]+$/, "", v)
if (v ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/) { t += v; c++ } else if (v != "") x++ }
END { if (!o) printf "%.15g %d %d", t, c, x }`

// sum is the total of one file.
type sum struct {
	name  string
	text  string // as it was printed
	value float64
}

// totals adds the column up in each file.
func (s *script) totals(places []place) (sums []sum) {
	for _, p := range places {
		body := fmt.Sprintf(`test -f "$f" && awk -v k=%d -v s=%s '%s' "$f"; printf '\n'`, p.column, map[rune]string{',': `,`, ';': `';'`, '\t': `'\t'`}[p.separator], adder)
		s.each(p.files, 30, body, func(line string, batch []string) {
			out, whole, ok := s.run(line, "This adds the column up: awk, whose program runs nothing and writes nothing.")
			if !ok {
				return
			}
			printed, ok := lines(out, whole, batch)
			if !ok {
				s.next = giveUp(broken + "awk printed something else than totals")
				return
			}
			for i, text := range printed {
				s.add(&sums, batch[i], text)
			}
		})
	}
	return sums
}

// add takes one line of what the adder printed.
func (s *script) add(sums *[]sum, name, text string) {
	fields := strings.Fields(text)
	if len(fields) != 3 {
		s.leave(name, "it cannot be read as CSV")
		return
	}
	value, err := strconv.ParseFloat(fields[0], 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		s.leave(name, "its total is too large")
		return
	}
	if fields[1] == "0" {
		s.leave(name, "it has no numbers there")
		return
	}
	if fields[2] != "0" {
		s.leave(name, fields[2]+" cells that are no numbers")
	}
	*sums = append(*sums, sum{name: name, text: fields[0], value: value})
}
