package rules

import (
	"fmt"
	"strings"
	"unicode"
)

// Misunderstood says why a request is not one for a bar chart of a table, "" if
// it is one.
func Misunderstood(request string) string {
	words := strings.FieldsFunc(strings.ToLower(request), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	})
	drawing := false
	for i, word := range words {
		word = strings.ReplaceAll(word, "’", "'")
		if refusals[word] || strings.HasSuffix(word, "n't") {
			return fmt.Sprintf("I do not understand the request: it says %q, and I only know what to do, not what to leave", word)
		}
		if others[word] {
			return fmt.Sprintf("I do not understand the request: it says %q, and I can only draw bar charts of tables", word)
		}
		kind, isChart := chart(word)
		if !isChart {
			continue
		}
		if kind == "" && i > 0 {
			kind = words[i-1]
		}
		if kinds[kind] {
			return fmt.Sprintf("I do not understand the request: it asks for a %s chart, and I can only draw bar charts", kind)
		}
		drawing = true
	}
	if !drawing {
		return "I do not understand the request: it asks for no chart, and a bar chart of a table is all that I can draw"
	}
	return ""
}

// chart says whether a word means a chart, and of which kind, if it says so
// itself as piechart does.
func chart(word string) (kind string, ok bool) {
	if word == "bars" { // one bar may be anything
		return "", true
	}
	word = strings.TrimSuffix(word, "s")
	if word == "plot" {
		return "", true
	}
	for _, suffix := range []string{"chart", "graph", "diagramm", "diagram"} {
		if kind, ok = strings.CutSuffix(word, suffix); ok && (kind == "" || kind == "bar" || kinds[kind] || suffix != "graph") {
			return kind, true // but a paragraph is no graph
		}
	}
	return "", false
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	// kinds of charts that are no bar chart.
	kinds = set(`pie line scatter area donut doughnut ring radar spider bubble funnel flow gantt sankey network
		waterfall candlestick stock surface sunburst treemap tree histogram box pareto polar org organization`)
	// others are things to do that the model cannot.
	others = set(`send email e-mail translate delete upload publish summarize summarise powerpoint outlook pdf`)
	// refusals turn a request into its opposite.
	refusals = set(`not never without dont`)
)
