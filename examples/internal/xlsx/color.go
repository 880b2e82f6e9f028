package xlsx

import "github.com/xuri/excelize/v2"

// Texts of a chart. Left alone, the library writes them in a gray that is hardly
// seen on white.
var (
	dark  = excelize.Font{Size: 10, Color: "404040"}
	title = excelize.Font{Size: 14, Color: "404040"}
)

// bars are the colors of the series, one after the other. All of them can be seen on
// white, and with any kind of color vision each differs from the next.
var bars = []string{"1F6FB4", "C8590F", "2A7F4F", "7A4FA3", "8A6A00", "595959"}

func fill(series int) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{bars[series%len(bars)]}}
}
