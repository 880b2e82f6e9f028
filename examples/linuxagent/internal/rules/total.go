package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sum is the total of one file.
type sum struct {
	name  string
	text  string // as it was printed
	value float64
}

// totals adds the column up in each file. Where there is no quote in a file, each line
// is a row and each separator is one, and the program is short: it is shown to a
// person, who must be able to read it. The other files need a parser.
func (s *script) totals(places []place) (sums []sum) {
	var all []string
	for _, p := range places {
		all = append(all, p.files...)
	}
	slices.Sort(all)
	hard := s.withQuotes(all)
	for _, p := range places {
		var plain, quotes []string
		for _, file := range p.files {
			if hard[file] {
				quotes = append(quotes, file)
			} else {
				plain = append(plain, file)
			}
		}
		s.total(&sums, plain, adder(p), fmt.Sprintf("It totals column %d of each file, and counts the cells that are numbers and those that are "+
			"something else. It runs nothing else and writes nothing.", p.column))
		s.total(&sums, quotes, parser(p), fmt.Sprintf("It totals column %d of files with quotes. Between those, separators and line breaks are text, "+
			"so it is longer. It runs nothing else and writes nothing.", p.column))
	}
	slices.SortFunc(sums, func(a, b sum) int { return cmp.Compare(a.name, b.name) })
	return sums
}

// withQuotes finds the files that have a double quote. It counts the lines with one,
// and without the names of the files, so that no name can be taken for a count. grep
// fails where there are none at all, and cat does not.
func (s *script) withQuotes(files []string) map[string]bool {
	found := map[string]bool{}
	line := func(files []string) string { return `grep -hcF '"' ` + arguments(files) + ` | cat` }
	s.each(files, 100, line, func(line string, batch []string) {
		out, whole, ok := s.run(line, "A file without quotes is added up more simply.")
		if !ok {
			return
		}
		counts, ok := lines(out, whole, batch)
		for i := 0; ok && i < len(counts); i++ {
			n, err := strconv.Atoi(counts[i])
			ok = err == nil
			found[batch[i]] = n > 0
		}
		if !ok {
			s.next = giveUp(broken + orElse(s.stderr, "grep printed something else than counts"))
		}
	})
	return found
}

// number is what is added up, as an expression of awk.
const number = `/^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/`

// adder totals a column of files without quotes. It prints the total, how many cells
// were numbers and how many were something else.
func adder(p place) func(files []string) string {
	return loop(strings.NewReplacer("SEPARATOR", separators[p.separator], "$k", "$"+strconv.Itoa(p.column), "NUMBER", number).Replace(`awk -FSEPARATOR '
    NR == 1 { next }
    { gsub(/^[ \t]+|[ \t\r]+$/, "", $k) }
    $k ~ NUMBER { total += $k; n++; next }
    $k != "" { other++ }
    END { printf "%.15g %d %d", total, n, other }
  ' "$f"`))
}

// parser does the same for CSV with quotes, and line breaks between them, as RFC 4180
// has them. It prints nothing when a quote is never closed.
func parser(p place) func(files []string) string {
	return loop(fmt.Sprintf(`awk -v s=%s -v k=%d '
    function cell(  p, v) { # takes one off the row
      if (substr(row, 1, 1) == "\"") {
        row = substr(row, 2)
        while (p = index(row, "\"")) {
          v = v substr(row, 1, p - 1); row = substr(row, p + 1)
          if (substr(row, 1, 1) != "\"") break
          v = v "\""; row = substr(row, 2)
        }
        p = index(row, s)
      } else {
        p = index(row, s); v = p ? substr(row, 1, p - 1) : row
      }
      row = p ? substr(row, p + 1) : ""
      return v
    }
    { row = open ? row "\n" $0 : $0; open = (open + gsub(/"/, "\"")) %% 2 }
    open || !header++ { next }
    { for (i = 1; i <= k; i++) v = cell(); gsub(/^[ \t]+|[ \t\r]+$/, "", v) }
    v ~ %s { total += v; n++; next }
    v != "" { other++ }
    END { if (!open) printf "%%.15g %%d %%d", total, n, other }
  ' "$f"`, separators[p.separator], p.column, number))
}

// separators are those of a header, as words of the shell that awk reads.
var separators = map[rune]string{',': `,`, ';': `';'`, '\t': `'\t'`}

// total runs a program on files and takes what it printed.
func (s *script) total(sums *[]sum, files []string, program func(files []string) string, why string) {
	s.each(files, 30, program, func(line string, batch []string) {
		out, whole, ok := s.run(line, why)
		if !ok {
			return
		}
		printed, ok := lines(out, whole, batch)
		if !ok {
			s.next = giveUp(broken + "awk printed something else than totals")
			return
		}
		for i, text := range printed {
			s.add(sums, batch[i], text)
		}
	})
}

// add takes one line of what was printed.
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

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
