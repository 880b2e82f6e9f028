package table_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// A number with three digits behind its only sign is read by what the document proves or its language groups with. If that
// is nothing, or they do not agree, the column is refused: it is never wrong by a thousand.
func TestDecimalSign(t *testing.T) {
	t.Parallel()
	type numbers []table.Number
	tests := []struct {
		name      string
		languages string
		beside    string // a cell of another table
		text      string
		cells     []string
		want      numbers // nil: refused
	}{
		{"nothing", "", "", "", []string{"1.200", "850"}, nil},
		{"nothing, with a comma", "", "", "", []string{"1,200", "850"}, nil},
		{"a word", "", "many", "Nothing is known.", []string{"12.500"}, nil},
		{"what has one reading needs no proof", "", "", "", []string{"1.234.500", "850"}, numbers{"1234500", "850"}},
		{"Indian groups", "", "", "", []string{"1,20,000", "1,200"}, numbers{"120000", "1200"}},
		{"Swiss groups", "", "", "", []string{"1'250", "1’250.500"}, numbers{"1250", "1250.5"}},
		{"spaces", "", "", "", []string{"1\u00a0250", "1\u202f250,5"}, numbers{"1250", "1250.5"}},

		{"German", "de-DE", "", "", []string{"1.200", "850"}, numbers{"1200", "850"}},
		{"English", "en-GB", "", "", []string{"1,200", "850"}, numbers{"1200", "850"}},
		{"two languages that agree", "de-DE es-ES", "", "", []string{"1.200"}, numbers{"1200"}},
		{"two that do not", "de-DE en-US", "", "", []string{"1.200"}, nil},
		{"French groups with spaces", "fr-FR", "", "", []string{"1.200"}, nil},
		{"Swiss with apostrophes", "de-CH", "", "", []string{"1,200"}, nil},
		{"German, against its habit", "de-DE", "", "", []string{"1,200"}, nil},
		{"English, against its habit", "en-US", "", "", []string{"1.200"}, nil},
		{"no language", "x-none", "", "", []string{"1,200"}, nil},
		{"a language that nobody knows", "xx", "", "", []string{"1,200"}, nil},

		{"another table", "", "1.234,5", "", []string{"1.200", "850"}, numbers{"1200", "850"}},
		{"another table, a fraction", "", "1,234.5", "", []string{"1.200"}, numbers{"1.2"}},
		{"money", "", "€ 12,50", "", []string{"1.200"}, numbers{"1200"}},
		{"a small number says which sign groups", "", "3,5", "", []string{"1.200"}, numbers{"1200"}},
		{"a chapter does not say that the point is decimal", "", "3.5", "", []string{"1.200"}, nil},
		{"a list does not say that the comma is", "", "3,5", "", []string{"1,200"}, nil},
		{"both signs", "", "1.200", "", []string{"1.200", "1,200"}, nil},
		{"the text", "", "", "It cost 1.234,50 € in all.", []string{"1.200"}, numbers{"1200"}},
		{"per cent in the text", "", "", "3,5 % more", []string{"1.200"}, numbers{"1200"}},
		{"a chapter in the text", "", "", "See 3.5 and 4,2.", []string{"1.200"}, nil},
		{"tables that contradict", "", "1.234,5", "USD 1,234.50 or $1,234.50", []string{"1.200"}, nil},

		{"a proof in a document that is English by default", "en-US", "1.234,5", "", []string{"1.200"}, numbers{"1200"}},
		{"but no fraction", "en-US", "1.234,5", "", []string{"1,200"}, nil},
		{"a small number against English", "en-US", "3,5", "", []string{"1.200"}, nil},
		{"an English proof in a German document", "de-DE", "$1,234.50", "", []string{"1.200"}, nil},
		{"an English proof in a French one", "fr-FR", "$1,234.50", "", []string{"1.200"}, nil},
		{"the column contradicts itself", "en-US", "", "", []string{"1,204.5", "1.204,5"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := table.Source{Number: 1, Languages: tt.languages, HeaderRows: 1, Rows: [][]string{{"Item", "Amount"}}}
			for _, cell := range tt.cells {
				s.Rows = append(s.Rows, []string{"item", cell})
			}
			tables := []table.Source{s, {Number: 2, Rows: [][]string{{"a", tt.beside}}}}
			table.Prove(tables, tt.text)
			d, err := table.Read(tables[0])
			if tt.want == nil {
				require.ErrorIs(t, err, table.ErrUnclear)
				assert.Contains(t, err.Error(), tt.cells[0], "it says which number")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, numbers(d.Series[0].Values))
		})
	}
}

// Cells of which the text is not all make the table, or the column, one that is not drawn.
func TestUnclearCells(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		row, col int
		request  string
		want     error // nil: drawn
	}{
		{"a number", 1, 1, "a bar chart of the table", table.ErrColumns},
		{"the header of a number", 0, 1, "a bar chart of the table", table.ErrColumns},
		{"a label", 2, 0, "a bar chart of the table", table.ErrUnclear},
		{"a word", 1, 3, "a bar chart of the table", nil},
		{"the header of the labels", 0, 0, "a bar chart of the table", nil},
		{"another column is asked for", 1, 1, "a bar chart of 2024", nil},
		{"this one is", 1, 1, "a bar chart of 2023", table.ErrColumns},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := table.Find(tt.request, []table.Source{{
				Number: 1, HeaderRows: 1, Unclear: []table.Unclear{{Row: tt.row, Col: tt.col, Why: "ink"}},
				Rows: [][]string{{"Item", "2023", "2024", "Note"}, {"a", "5", "7", "x"}, {"b", "6", "8", "y"}},
			}})
			if tt.want == nil {
				require.NoError(t, err)
				assert.Equal(t, []table.Number{"7", "8"}, d.Series[len(d.Series)-1].Values)
				return
			}
			require.ErrorIs(t, err, tt.want)
			assert.Contains(t, err.Error(), "ink")
		})
	}
}

// A table is not the only one because the numbers of another are not clear.
func TestUnclearTableIsOneOfTwo(t *testing.T) {
	t.Parallel()
	plain, unclear := two(1, 3, "Costs", "", "2024"), two(2, 3, "Sales", "", "2024")
	unclear.Unclear = []table.Unclear{{Row: 1, Col: 1, Why: "ink"}}
	_, err := table.Find("a bar chart of the table", []table.Source{plain, unclear})
	require.ErrorIs(t, err, table.ErrNotNamed)
	_, err = table.Find("a bar chart of the table", []table.Source{unclear})
	require.ErrorContains(t, err, "ink")
}

// Only numbers need a decimal sign.
func TestWordsNeedNoDecimalSign(t *testing.T) {
	t.Parallel()
	d, err := table.Read(table.Source{Number: 1, Rows: [][]string{{"Model", "Sold"}, {"Basic", "5"}, {"1.200", "6"}, {"Best", "7"}}})
	require.NoError(t, err)
	assert.Equal(t, []string{"Basic", "1.200", "Best"}, d.Labels)
}

// The line above a table is a title after captions and headings.
func TestLineAbove(t *testing.T) {
	t.Parallel()
	above := func(n int, caption, heading, line string) table.Source {
		s := two(n, 3, heading, caption, "2024")
		s.Above = line
		return s
	}
	tests := []struct {
		name   string
		tables []table.Source
		want   int // 0: none
	}{
		{"it names one", []table.Source{above(1, "", "Review", "Sales by product:"), above(2, "", "Review", "Costs by product:")}, 1},
		{"a heading names another", []table.Source{above(1, "", "Review", "Sales by product:"), above(2, "", "Sales", "")}, 2},
		{"a caption names another", []table.Source{above(1, "", "Review", "Sales by product:"), above(2, "Table 1: Sales", "Review", "")}, 2},
		{"a caption says that it is another", []table.Source{above(1, "Table 1: Costs", "Review", "Sales rose, too:"), above(2, "", "", "")}, 0},
		{"two lines", []table.Source{above(1, "", "Review", "Sales by product:"), above(2, "", "Review", "Sales by region:")}, 0},
	}
	for _, tt := range tests {
		d, err := table.Find(job, tt.tables)
		if tt.want == 0 {
			assert.Error(t, err, tt.name)
			continue
		}
		if assert.NoError(t, err, tt.name) {
			assert.Equal(t, tt.want, d.Table, tt.name)
		}
	}
	d, err := table.Find("a bar chart of the table", []table.Source{above(1, "", "", "Sales by product:")})
	require.NoError(t, err)
	assert.Equal(t, "Sales by product:", d.Title)
}
