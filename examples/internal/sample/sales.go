package sample

import "github.com/agentfsm/agentfsm/examples/internal/docxtest"

// Request is what a run on [Sales] is asked for.
const Request = "Extract the sales table from the Word document and create a bar chart in Excel"

// Sales is the report of a company that does not exist. It has four tables, of
// which one is about sales.
func Sales() *docxtest.Document {
	d := docxtest.New()
	d.Title("Harbour Lights: the year 2024")
	d.Paragraph("This report is made up. It shows what a run of the quickstart reads.")

	d.Heading(1, "People")
	d.Paragraph("Who to ask:")
	d.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts(
		[]string{"Office", "Head", "Since"},
		[]string{"Rotterdam", "Ada Jansen", "May 2019"},
		[]string{"Porto", "Rui Costa", "January 2021"},
		[]string{"Gdańsk", "Ewa Nowak", "March 2023"},
	)})

	d.Heading(1, "Sales")
	d.Paragraph("Lamps sold best where the winter is long. All amounts are in thousands of euros.")
	d.Heading(2, "By region")
	d.Caption("Table", "Sales by region, in thousands of euros")
	d.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts(
		[]string{"Region", "2022", "2023", "2024"},
		[]string{"North", "1,204.5", "1,310.0", "1,498.2"},
		[]string{"East", "842.0", "901.7", "1,020.4"},
		[]string{"South", "655.3", "598.1", "640.9"},
		[]string{"West", "1,090.8", "1,175.2", "1,233.6"},
		[]string{"Overseas", "310.2", "-12.5", "95.0"},
	)})
	d.Paragraph("Overseas, returns were higher than sales in 2023.")

	d.Heading(1, "Costs")
	d.Heading(2, "What was spent")
	d.Caption("Table", "Costs by quarter")
	d.Table(docxtest.Table{Rows: [][]docxtest.Cell{
		{{Text: "Kind", Down: true}, {Text: "First half", Cols: 2}, {Text: "Second half", Cols: 2}},
		{{Above: true}, {Text: "Q1"}, {Text: "Q2"}, {Text: "Q3"}, {Text: "Q4"}},
		{{Text: "Rent"}, {Text: "120.0"}, {Text: "120.0"}, {Text: "125.0"}, {Text: "125.0"}},
		{{Text: "Wages"}, {Text: "410.6"}, {Text: "418.0"}, {Text: "431.2"}, {Text: "440.9"}},
		{{Text: "Power"}, {Text: "88.1"}, {Text: "41.3"}, {Text: "39.8"}, {Text: "92.4"}},
		{{Text: "Freight"}, {Text: "64.0"}, {Text: "71.5"}, {Text: "70.2"}, {Text: "69.9"}},
		{{Text: "Other"}, {Text: "12.3"}, {Text: "-"}, {Text: "9.4"}, {Text: "11.0"}},
	}})

	d.Heading(1, "Outlook")
	d.Paragraph("Expected growth:")
	d.Table(docxtest.Table{Rows: docxtest.Texts(
		[]string{"Year", "Growth"},
		[]string{"2025", "3.5 %"},
		[]string{"2026", "4 %"},
	)})
	return d
}
