//go:build unix

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// generated is a folder of CSV files, and what comes out of it.
type generated struct {
	files  map[string]string
	cents  map[string]int64 // the totals, of files that have one
	column string
}

// generate makes files that differ in all that CSV files differ in: the place and
// the spelling of the column, separators, line breaks, blank cells, short rows; and, in
// about half of them, quotes, with line breaks between them.
func generate(r *rand.Rand) generated {
	g := generated{files: map[string]string{}, cents: map[string]int64{}, column: []string{"amount", "Net total", "Umsatz (€)", `5" disks`}[r.IntN(4)]}
	for i := range 1 + r.IntN(12) {
		name := fmt.Sprintf("file %d.%s", i, []string{"csv", "CSV", "Csv"}[r.IntN(3)])
		has := i == 0 || r.IntN(6) > 0
		content, cents := table(r, g.column, has)
		g.files[name] = content
		if has {
			g.cents[name] = cents
		}
	}
	g.files["notes.txt"] = g.column + "\n999999999\n"
	g.files[".hidden.csv"] = g.column + "\n999999999\n"
	return g
}

var (
	plainTexts  = []string{"", "plain", " ", "Größe", "=1+1", "0x10", "$(touch executed)"}
	quotedTexts = append([]string{"a, b", "c; d", "e\tf", `say "hi"`, "two\nlines", "dos\r\nlines"}, plainTexts...)
)

// write writes a row, without quotes if plain.
func write(w *csv.Writer, buf *bytes.Buffer, row []string, plain bool) {
	if !plain {
		_ = w.Write(row) // into memory
		w.Flush()
		return
	}
	buf.WriteString(strings.Join(row, string(w.Comma)) + map[bool]string{true: "\r\n", false: "\n"}[w.UseCRLF])
}

func table(r *rand.Rand, column string, has bool) (string, int64) {
	texts, plain := quotedTexts, r.IntN(2) == 0 && !strings.Contains(column, `"`)
	if plain {
		texts = plainTexts
	}
	columns := 1 + r.IntN(5)
	at := r.IntN(columns)
	var buf bytes.Buffer
	if r.IntN(4) == 0 {
		buf.WriteString("\ufeff")
	}
	w := csv.NewWriter(&buf)
	w.Comma = []rune(",;\t")[r.IntN(3)]
	w.UseCRLF = r.IntN(3) == 0
	row := make([]string, columns)
	for c := range row {
		row[c] = fmt.Sprint("other ", c)
	}
	if has {
		row[at] = []string{column, strings.ToUpper(column), " " + column + " "}[r.IntN(3)]
	}
	write(w, &buf, row, plain)
	sum := int64(0)
	for range 1 + r.IntN(60) {
		for c := range row {
			row[c] = texts[r.IntN(len(texts))]
		}
		cents := r.Int64N(10_000_000) - 2_000_000
		row[at] = strconv.FormatFloat(float64(cents)/100, 'f', 2, 64)
		switch r.IntN(8) {
		case 0:
			row[at] = " +" + strings.TrimPrefix(row[at], "-") + " "
			cents = max(cents, -cents)
		case 1:
			row[at], cents = "", 0
		}
		sum += cents
		short := len(row)
		if plain && at < columns-1 && r.IntN(5) == 0 {
			short = at + 1
		}
		write(w, &buf, row[:short], plain)
	}
	// So that there is at least one number.
	row[at] = "1"
	write(w, &buf, row, plain)
	return buf.String(), sum + 100
}

func TestRandom(t *testing.T) {
	t.Parallel()
	seeds := uint64(30)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := generate(rand.New(rand.NewPCG(seed, 1)))
			best := slices.Max(slices.Collect(maps.Values(g.cents)))
			var winners []string
			for _, name := range slices.Sorted(maps.Keys(g.cents)) {
				if g.cents[name] == best {
					winners = append(winners, name)
				}
			}
			dir, path := folder(t, g.files), filepath.Join(t.TempDir(), "answer.xlsx")
			o := linuxagent(t, "-dir", dir, "-column", g.column, "-workbook", path, "-confirm", "yes")
			require.Equal(t, 0, o.status, o.errors)
			assert.Equal(t, "HostAgent:FINISH", o.last())
			rows := sheet(t, path, "Answer")
			require.Len(t, rows, 1+len(winners))
			assert.Equal(t, []string{"File", "Total of " + g.column}, rows[0])
			for i, name := range winners {
				require.Len(t, rows[i+1], 2)
				assert.Equal(t, name, rows[i+1][0])
				total, err := strconv.ParseFloat(rows[i+1][1], 64)
				require.NoError(t, err)
				assert.InDelta(t, float64(best)/100, total, 0.001)
			}
			assert.Contains(t, o.answer, fmt.Sprintf("(of %d files)", len(g.cents)))
			assert.Equal(t, g.files, contents(t, dir))
		})
	}
}

// A file without quotes is added up by a short program, and one with quotes by a long
// one. What is a number, and what is left out, is the same.
func TestWithAndWithoutQuotes(t *testing.T) {
	t.Parallel()
	const cells = "7\n -1.5 \n\t+.5\t\n3e2\n2.\n\n \n1 000\n1.2.3\n.\n-\n0x10\n1e\ninf\nNaN\n5%\n1_000\n"
	const total = 308
	for _, ending := range []string{"\n", "\r\n"} {
		for _, separator := range []string{",", ";", "\t"} {
			plain := "key" + separator + "n" + ending
			for cell := range strings.Lines(cells) {
				cell = strings.Trim(cell, "\n")
				if separator == "\t" {
					cell = strings.ReplaceAll(cell, "\t", " ")
				}
				plain += "x" + separator + cell + ending
			}
			plain += "short" + ending
			quoted := plain + `"x"` + separator + ending
			dir, path := folder(t, map[string]string{"plain.csv": plain, "quoted.csv": quoted}), filepath.Join(t.TempDir(), "answer.xlsx")
			o := linuxagent(t, "-dir", dir, "-column", "n", "-workbook", path, "-confirm", "yes")
			require.Equal(t, 0, o.status, o.errors)
			assert.Contains(t, o.answer, fmt.Sprintf(`"plain.csv" and "quoted.csv" have the same, highest total of "n": %d (of 2 files). `+
				`Left out: "plain.csv": 10 cells that are no numbers; "quoted.csv": 10 cells that are no numbers.`, total), "%q %q", separator, ending)
			first, second, found := strings.Cut(o.errors, "Allow it?")
			require.True(t, found)
			assert.Contains(t, first, "for f in './plain.csv'; do\n")
			assert.NotContains(t, first, "function")
			assert.Contains(t, second, "for f in './quoted.csv'; do\n")
			assert.Contains(t, second, "function")
		}
	}
}

func TestTie(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"a.csv": "n\n0.1\n0.2\n", "b.csv": "n\n0.3\n", "c.csv": "n\n0.29\n"})
	path := filepath.Join(t.TempDir(), "answer.xlsx")
	o := linuxagent(t, "-dir", dir, "-column", "n", "-workbook", path, "-confirm", "yes")
	require.Equal(t, 0, o.status, o.errors)
	assert.Contains(t, o.answer, `"a.csv" and "b.csv" have the same, highest total of "n": 0.3 (of 3 files).`)
	assert.Len(t, sheet(t, path, "Answer"), 3)
}

// More files than one prompt, or one command line, has room for.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	files, many := map[string]string{}, 150
	if testing.Short() {
		many = 40
	}
	for i := range many {
		files[fmt.Sprintf("%s%03d.csv", strings.Repeat("long", i%30), i)] = fmt.Sprintf("n\n%d\n", i*7919%151)
	}
	dir, path := folder(t, files), filepath.Join(t.TempDir(), "answer.xlsx")
	o := linuxagent(t, "-dir", dir, "-column", "n", "-workbook", path, "-confirm", "yes")
	require.Equal(t, 0, o.status, o.errors)
	assert.Contains(t, o.answer, fmt.Sprintf("(of %d files)", many))
	rows := sheet(t, path, "Answer")
	require.Len(t, rows, 2)
	assert.Equal(t, "n\n"+rows[1][1]+"\n", files[rows[1][0]])
}
