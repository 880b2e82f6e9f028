package rules

import (
	"encoding/csv"
	"fmt"
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

func headLine(width int) func(files []string) string {
	return loop(fmt.Sprintf(`test -f "$f" && head -n 1 -- "$f" | head -c %d | tr -d '\n'`, width))
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
		list = append(list, short(name))
	}
	return list
}

// short quotes a name for a person who need not have all of it.
func short(name string) string {
	const most = 60
	if runes := []rune(name); len(runes) > most {
		return fmt.Sprintf("%q… (%d more characters)", string(runes[:most]), len(runes)-most)
	}
	return strconv.Quote(name)
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
