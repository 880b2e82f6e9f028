package papers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// blocksOf reads what read_document returns.
func blocksOf(t testing.TB, text string) (list []block) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	return list
}

func TestSources(t *testing.T) {
	t.Parallel()
	const one = `{"type": "table", "rows": [["a", "1"]]}`
	rows := [][]string{{"a", "1"}}
	heading := func(level, text string) string {
		return `{"type": "heading", "level": ` + level + `, "text": "` + text + `"}`
	}
	for name, c := range map[string]struct {
		blocks string
		want   []table.Source
	}{
		"no table":   {`[{"type": "paragraph", "text": "Nothing."}]`, nil},
		"no heading": {`[` + one + `]`, []table.Source{{Number: 1, Rows: rows}}},
		"two": {
			`[` + heading("1", "Sales") + `,` + one + `,` + one + `]`,
			[]table.Source{{Number: 1, Heading: "Sales", Sections: []string{}, Rows: rows}, {Number: 2, Heading: "Sales", Sections: []string{}, Rows: rows}},
		},
		"headings above": {
			`[` + heading("1", "2024") + `,` + heading("2", "North") + `,` + heading("3", "Sales") + `,` + one + `]`,
			[]table.Source{{Number: 1, Heading: "Sales", Sections: []string{"2024", "North"}, Rows: rows}},
		},
		"the next chapter": {
			`[` + heading("1", "2023") + `,` + heading("2", "North") + `,` + heading("2", "South") + `,` + heading("1", "2024") + `,` + heading("2", "West") + `,` + one + `]`,
			[]table.Source{{Number: 1, Heading: "West", Sections: []string{"2024"}, Rows: rows}},
		},
		"a level is left out": {
			`[` + heading("3", "Deep") + `,` + heading("2", "Less") + `,` + one + `]`,
			[]table.Source{{Number: 1, Heading: "Less", Sections: []string{}, Rows: rows}},
		},
		"merged": {
			`[{"type": "table", "rows": [["a", ""], ["b", "1"]], "merged": [{"row": 1, "column": 2, "rows": 3, "columns": 4}]}]`,
			[]table.Source{{Number: 1, Rows: [][]string{{"a", ""}, {"b", "1"}}, Merges: []table.Merge{{Row: 0, Col: 1, Rows: 3, Cols: 4}}}},
		},
		"a line above": {
			`[{"type": "paragraph", "text": "Sales by product, in euro:"},` + one + `,{"type": "paragraph", "text": "Costs"},` + one + `]`,
			[]table.Source{{Number: 1, Above: "Sales by product, in euro:", Rows: rows}, {Number: 2, Above: "Costs", Rows: rows}},
		},
		"a sentence above, and text": {
			`[{"type": "paragraph", "text": "` + strings.Repeat("This goes on. ", 9) + `"},` + one + `,` + one + `]`,
			[]table.Source{{Number: 1, Rows: rows}, {Number: 2, Rows: rows}},
		},
		"with a caption": {
			`[{"type": "paragraph", "style": "Caption", "text": " Sales "},` + one + `]`,
			[]table.Source{{Number: 1, Caption: "Sales", Rows: rows}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, sources(blocksOf(t, c.blocks)))
		})
	}
}

func TestCaption(t *testing.T) {
	t.Parallel()
	named := func(text string) block { return block{Type: "paragraph", Style: "Caption", Text: text} }
	plain := func(text string) block { return block{Type: "paragraph", Text: text} }
	here, other := block{Type: "table", Text: "here"}, block{Type: "table"}
	for name, c := range map[string]struct {
		blocks []block
		want   string
	}{
		"alone":                      {[]block{here}, ""},
		"above":                      {[]block{named("Sales"), here, plain("text")}, "Sales"},
		"below":                      {[]block{plain("text"), here, named("Sales")}, "Sales"},
		"above and below":            {[]block{named("Sales"), here, named("Costs")}, "Sales"},
		"that of the next one":       {[]block{plain("text"), here, named("Costs"), other}, ""},
		"above, and of the next one": {[]block{named("Sales"), here, named("Costs"), other}, "Sales"},
		"below, and then text":       {[]block{here, named("Sales"), plain("text"), other}, "Sales"},
		"not directly above":         {[]block{named("Sales"), plain("text"), here}, ""},
		"not directly below":         {[]block{here, plain("text"), named("Sales")}, ""},
		"a heading":                  {[]block{{Type: "heading", Style: "Caption", Text: "Sales"}, here}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := 0
			for c.blocks[at].Text != "here" {
				at++
			}
			assert.Equal(t, c.want, caption(c.blocks, at))
		})
	}
}

// A caption is one by its style or, without one, by how it begins.
func TestIsCaption(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Table 1: Sales":              true,
		"Tab. 12 – Sales":             true,
		"Tabelle 3. Umsatz":           true,
		"表1：売上":                       true,
		"表１。売上":                       true,
		"जदोल 2: बिक्री":              true,
		"Table 1":                     false,
		"Table: Sales":                false,
		"Table 2024 shows the sales.": false,
		"The sales of 2024: more.":    false,
		"1: Sales":                    false,
		"":                            false,
	} {
		assert.Equal(t, want, block{Type: "paragraph", Text: text}.isCaption(), text)
	}
	for style, want := range map[string]bool{"Caption": true, "caption": true, "Table": true, "table": false, "Text Body": false, "": false} {
		assert.Equal(t, want, block{Type: "paragraph", Style: style, Text: "Sales"}.isCaption(), style)
	}
	assert.False(t, block{Type: "table", Style: "Caption", Text: "Table 1: Sales"}.isCaption())
}
