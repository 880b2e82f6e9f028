package program

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
)

// columnOf returns the column that the request, or else a person, names.
func columnOf(p *fakemodel.Prompt) (string, bool) {
	if _, rest, found := strings.Cut(p.Request, "total of "); found {
		if name, err := strconv.QuotedPrefix(rest); err == nil {
			name, err = strconv.Unquote(name)
			return strings.TrimSpace(name), err == nil
		}
	}
	if n := len(p.Answers); n > 0 {
		return strings.TrimSpace(p.Answers[n-1].Answer), true
	}
	return "", false
}

// header reads the names of columns. Its separator is the one that makes most of them. The last name of a header that
// was cut may be half of one.
func header(line string, cut bool) (names []string, separator rune) {
	for _, sep := range ",;\t" {
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(line, "\ufeff")))
		r.Comma = sep
		if list, err := r.Read(); err == nil && len(list) > len(names) {
			names, separator = list, sep
		}
	}
	if cut && len(names) > 0 {
		names = names[:len(names)-1]
	}
	return names, separator
}

// total is an awk program for one column of CSV as RFC 4180 has it: between quotes, separators and line breaks are
// text. It prints the total, how many cells are numbers, and how many are something else.
func total(p place) string {
	separator := map[rune]string{',': `,`, ';': `';'`, '\t': `'\t'`}[p.separator]
	return fmt.Sprintf(`awk -v s=%s -v k=%d '
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
    v ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ { total += v; n++; next }
    v != "" { other++ }
    END { if (!open) printf "%%.15g %%d %%d", total, n, other }
  ' "$f"`, separator, p.column)
}
