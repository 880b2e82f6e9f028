package table_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// columnOf reads a table in English of one label column and the given cells. ok is false
// when they are no series.
func columnOf(t testing.TB, cells ...string) (s table.Series, skipped []table.Cell, ok bool) {
	t.Helper()
	source := table.Source{Number: 1, Rows: [][]string{{"Item", "Amount"}}, HeaderRows: 1, Languages: "en-US"}
	for i, cell := range cells {
		source.Rows = append(source.Rows, []string{"item " + strconv.Itoa(i+1), cell})
	}
	d, err := table.Read(source)
	if err != nil {
		return table.Series{}, nil, false
	}
	require.Len(t, d.Series, 1)
	return d.Series[0], d.Skipped, true
}

func TestOneNumber(t *testing.T) {
	t.Parallel()
	tests := map[string]table.Number{
		"0": "0", "5": "5", "1204": "1204", "1234567": "1234567",
		"1,204": "1204", "1,204.5": "1204.5", "1.204,5": "1204.5", "1,204,300": "1204300", "1.204.300": "1204300",
		"3.5": "3.5", "3,5": "3.5", "3,25": "3.25", "0.500": "0.5", "0,500": "0.5", "1234.567": "1234.567", "1234,567": "1234.567", ".5": "0.5", ",5": "0.5",
		"1 204,5": "1204.5", "1\u00a0204,500": "1204.5", "1\u202f204.5": "1204.5", "1'204.50": "1204.5", "1’204’300": "1204300", "12,34,567.8": "1234567.8",
		"-5": "-5", "−5": "-5", "–5": "-5", "+5": "5", "5-": "-5", "(5)": "-5", "(1,204.5)": "-1204.5", "\u20115": "-5", "- 5": "-5", "-0": "0", "-0.00": "0",
		"$5": "5", "$1,204.50": "1204.5", "-$5": "-5", "$-5": "-5", "($5)": "-5", "$(5)": "-5", "5 €": "5", "€ 5": "5", "1.204,50 €": "1204.5", "EUR 5": "5", "5 EUR": "5",
		"US$5": "5", "R$ 1.204,50": "1204.5", "12,50 zł": "12.5", "CHF 1'204.50": "1204.5", "₹12,34,567": "1234567", "1200円": "1200", "kr 5": "5", "5 kr.": "5", "¥1,200": "1200", "£3.50": "3.5",
		"12%": "0.12", "12.5 %": "0.125", "12,5\u00a0%": "0.125", "%12": "0.12", "-3%": "-0.03", "0.05%": "0.0005", "100%": "1", "1,204%": "12.04", "０．５％": "0.005", "5‰": "5",
		"١٬٢٠٤٫٥": "1204.5", "١٢٪": "0.12", "१२": "12", "１，２０４": "1204", "۱۲۳": "123", "𝟏𝟐": "12", "\u200e-5\u200f": "-5", "\ufeff7": "7",
		"1,204*": "1204", "1,204 †": "1204", " 7 ": "7", "999999999999999": "999999999999999",
		"0.1234567890123456789": "0.1234567890123456789",
	}
	for cell, want := range tests {
		s, _, ok := columnOf(t, cell)
		if assert.True(t, ok, "%q is no number", cell) {
			assert.Equal(t, []table.Number{want}, s.Values, "%q", cell)
		}
	}
}

func TestNoNumber(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{
		"", "-", "—", "n/a", "k. a.", "...", "$ -", "+", "%", "€", "()", "abc", "x1", "1x", "12 kg", "1e5", "0x10", "NaN", "Inf", "1/2",
		"1,20,4", "1,,204", "1.2.3", "1,204.5.6", "1.204,5,6", "5.", "5,", "12,-", "1 2", "1 20 300", "1'20", "1,204'300.5",
		"007", "00", "01.5", "2024-05-01", "01.05.2024", "12:30", "+49 30 1234567", "1-2", "2023/24", "--5", "-(5)", "+-5", "5%%", "$5€", "5 % $",
		"1.204", "1,204¹", "10²", "\u202e021", "1\n2", "1\t2", "1234567890123456", "1,234,567,890,123,456", "１２a", "½", "Ⅳ", "一二",
		strings.Repeat("9", 300), "0." + strings.Repeat("1", 31),
	} {
		_, _, ok := columnOf(t, cell)
		assert.False(t, ok, "%q was read as a number", cell)
	}
}

func TestTheColumnDecides(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		cells []string
		want  []table.Number
	}{
		{"three digits are no group beside others", []string{"1,204", "1.204", "1.2"}, []table.Number{"1204", "1.204", "1.2"}},
		{"a decimal comma elsewhere", []string{"1.204", "3,5", "12"}, []table.Number{"1204", "3.5", "12"}},
		{"both in one cell", []string{"1.204", "1.204,5", "2,125"}, []table.Number{"1204", "1204.5", "2.125"}},
		{"points that only group", []string{"1.204", "1.204.300", "2,125"}, []table.Number{"1204", "1204300", "2.125"}},
		{"a zero before the comma", []string{"1.204", "0,500"}, []table.Number{"1204", "0.5"}},
		{"spaces group, so the comma does not", []string{"1 204,500", "2.125"}, []table.Number{"1204.5", "2125"}},
		{"the point is proved", []string{"1,204", "3.5"}, []table.Number{"1204", "3.5"}},
		{"dashes and blanks are no values", []string{"1", "-", "", "n/a", "5"}, []table.Number{"1", "", "", "", "5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, skipped, ok := columnOf(t, tt.cells...)
			require.True(t, ok)
			assert.Equal(t, tt.want, s.Values)
			assert.Empty(t, skipped)
		})
	}
}

func TestWordsAmongNumbers(t *testing.T) {
	t.Parallel()
	s, skipped, ok := columnOf(t, "1", "see below", "3")
	require.True(t, ok)
	assert.Equal(t, []table.Number{"1", "", "3"}, s.Values)
	assert.Equal(t, []table.Cell{{Row: 2, Col: 1, Text: "see below"}}, skipped)

	_, _, ok = columnOf(t, "1", "two", "three", "4")
	assert.False(t, ok, "as many words as numbers")
	for _, cell := range []string{"1,204¹", "~5", "≥5", "1.5 kg", "5½", "1⸴2"} {
		_, _, ok = columnOf(t, "1", cell, "3", "4")
		assert.False(t, ok, "%s looks like a number, and is none", cell)
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		cells  []string
		ok     bool
		format string
	}{
		{"plain integers", []string{"1", "2"}, true, ""},
		{"decimals", []string{"1.5", "2.25"}, true, "0.00"},
		{"groups", []string{"1,204", "3"}, true, "#,##0"},
		{"per cent", []string{"12.5%", "3%", "0"}, true, "0.0%"},
		{"a currency in the first row only", []string{"$1,204.50", "3.00"}, true, `"$"#,##0.00`},
		{"behind", []string{"1.204,50 €", "3,00 €"}, true, `#,##0.00" €"`},
		{"per mille", []string{"5‰"}, true, `0" ‰"`},
		{"arabic", []string{"١٬٢٠٤٫٥"}, true, "#,##0.0"},
		{"two currencies", []string{"$5", "5 €"}, false, ""},
		{"per cent and plain", []string{"5%", "5"}, false, ""},
		{"per cent and money", []string{"5%", "$5"}, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, _, ok := columnOf(t, tt.cells...)
			require.Equal(t, tt.ok, ok)
			assert.Equal(t, tt.format, s.Format)
		})
	}
}

func TestNumberJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal([]table.Number{"-1204.5", "", "0.1234567890123456789"})
	require.NoError(t, err)
	assert.Equal(t, `[-1204.5,null,0.1234567890123456789]`, string(text))
	var back []table.Number
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, []table.Number{"-1204.5", "", "0.1234567890123456789"}, back)

	_, err = json.Marshal(table.Number(`1,"injected":2`))
	require.Error(t, err)
	for _, bad := range []string{`"x"`, `1e5`, `true`} {
		require.Error(t, new(table.Number).UnmarshalJSON([]byte(bad)), bad)
	}
	_, ok := table.Number("").Float()
	assert.False(t, ok)
}

// FuzzNumber reads any cell. What is a number is an exact decimal that a
// spreadsheet can hold, and says the same again when it is written plainly.
func FuzzNumber(f *testing.F) {
	for _, cell := range []string{"1,204.5", "1.204,5", "-$5", "(12 %)", "١٬٢٠٤٫٥", "12,34,567", "1’204", "$ -", "R$ 1.204,50", "5‰", ".5", "\u200e7"} {
		f.Add(cell, "3,25")
		f.Add("2.5", cell)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s, _, ok := columnOf(t, a, b)
		if !ok {
			return
		}
		for _, v := range s.Values {
			if v == "" {
				continue
			}
			n, isNumber := v.Float()
			require.True(t, isNumber)
			require.False(t, math.IsInf(n, 0) || math.IsNaN(n))
			_, err := json.Marshal(v)
			require.NoError(t, err)
			if whole, fraction, _ := strings.Cut(string(v), "."); len(fraction) < 20 && len(fraction) != 3 && len(strings.TrimPrefix(whole, "-")) <= 15 {
				again, _, ok := columnOf(t, string(v))
				require.True(t, ok, "%q gave %q", a, v)
				require.Equal(t, v, again.Values[0])
			}
		}
	})
}
