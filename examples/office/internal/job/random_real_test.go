package job_test

import (
	"fmt"
	"math/rand/v2"
)

// sampleCase is a document with what a run on it must give.
type sampleCase struct {
	Seed     uint64
	Document *docxDocument
	Request  string
	Header   []string   // the label column's, then one for each series
	Labels   []string   // one for each row
	Values   [][]string // by row, then series: an exact decimal, "" for no value
	Drawn    []int      // the series that the chart shows, from 0
}

// language is what a document is written in.
type language struct {
	request   string // with %s for what the table is about
	subject   string
	others    []string // subjects of the tables that are not meant
	label     string   // header of the label column
	names     []string
	columns   []string
	tableWord string
}

var languages = []language{
	{"Extract the %s table from the Word document and create a bar chart in Excel", "sales", []string{"Costs", "Visitors", "Rain"}, "Region", []string{"North", "South", "East", "West"}, []string{"Plan", "Actual", "Difference", "Last year"}, "Table"},
	{"Read the %s table from the document and draw a bar chart in Excel", "Umsätze", []string{"Kosten", "Besucher", "Regen"}, "Gebiet", []string{"Nord", "Süd", "Ost", "West"}, []string{"Soll", "Ist", "Abweichung", "Vorjahr"}, "Tabelle"},
	{"Extract the table %s from the document and create a bar chart", "Продажи", []string{"Расходы", "Гости", "Дождь"}, "Область", []string{"Север", "Юг", "Восток", "Запад"}, []string{"План", "Факт", "Разница", "Прошлый"}, "Таблица"},
	{"Extract the table %s from Word and create a bar chart in Excel", "売上高", []string{"費用", "来客", "雨量"}, "地域", []string{"北部", "南部", "東部", "西部"}, []string{"計画", "実績", "差額", "前年"}, "表"},
	{"Extract the table %s from Word and create a bar chart in Excel", "المبيعات", []string{"التكاليف", "الزوار", "المطر"}, "المنطقة", []string{"شمال", "جنوب", "شرق", "غرب"}, []string{"خطة", "فعلي", "فرق", "سابق"}, "جدول"},
	{"Extract the table %s from Word and create a bar chart in Excel", "बिक्री", []string{"लागत", "मेहमान", "वर्षा"}, "क्षेत्र", []string{"उत्तर", "दक्षिण", "पूर्व", "पश्चिम"}, []string{"योजना", "असल", "अंतर", "पिछला"}, "तालिका"},
}

type generator struct {
	*rand.Rand
	doc   *docxDocument
	lang  language
	signs []string // with which labels may begin
}

func (g *generator) chance(oneIn int) bool { return g.IntN(oneIn) == 0 }

// meant makes the table that the request is about, and notes in c what must
// come out.
func (g *generator) meant(c *sampleCase, rows int) docxTable {
	series := 1 + g.IntN(4)
	t := g.header(c, series)
	writers, units := make([]notation, series), make([]string, series)
	for i := range writers {
		n := notations[g.IntN(len(notations))]
		writers[i], units[i] = n.write, n.unit
	}
	c.Drawn = drawn(units)
	merged := g.chance(3)
	for i := range rows {
		label := g.label(i)
		if merged && i%2 == 1 {
			label = c.Labels[i-1]
		}
		row := []docxCell{{Text: label}}
		if merged {
			row[0].Down = i%2 == 0
			row[0].Above = i%2 == 1
			if row[0].Above {
				row[0].Text = ""
			}
		}
		values := make([]string, series)
		for s, write := range writers {
			text := [...]string{"", "-", "n/a"}[g.IntN(3)]
			if i == 0 || !g.chance(8) {
				text, values[s] = write(g.IntN(2_000_000)*100+1+g.IntN(99), g.chance(6))
			}
			row = append(row, docxCell{Text: text})
		}
		t.Rows = append(t.Rows, row)
		c.Labels = append(c.Labels, label)
		c.Values = append(c.Values, values)
	}
	return t
}

// header makes the header rows: years, words, or words over years.
func (g *generator) header(c *sampleCase, series int) docxTable {
	t := docxTable{}
	names := make([]string, series)
	switch kind := g.IntN(3); {
	case kind == 0:
		copy(names, g.lang.columns)
	case kind == 1 || series < 2:
		for i := range names {
			names[i] = fmt.Sprint(2021 + i)
		}
	default:
		top := []docxCell{{Text: g.lang.label, Down: true}, {Text: g.lang.columns[0], Cols: series}}
		below := []docxCell{{Above: true}}
		for i := range names {
			year := fmt.Sprint(2021 + i)
			names[i] = g.lang.columns[0] + " " + year
			below = append(below, docxCell{Text: year})
		}
		t.Rows = [][]docxCell{top, below}
	}
	c.Header = append([]string{g.lang.label}, names...)
	if t.Rows == nil {
		t.Rows = docxTexts(c.Header)
	}
	if g.chance(2) {
		t.Header = len(t.Rows)
	}
	return t
}

// label makes a label, now and then one that a careless program takes for a
// formula.
func (g *generator) label(i int) string {
	name := g.lang.names[i%len(g.lang.names)]
	if i >= len(g.lang.names) {
		name += fmt.Sprint(" ", i)
	}
	if g.chance(5) {
		name = g.signs[g.IntN(len(g.signs))] + name
	}
	return name
}
