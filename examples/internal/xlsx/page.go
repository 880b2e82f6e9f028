package xlsx

import "github.com/xuri/excelize/v2"

// Sizes in pixels, as the library draws them.
const (
	charWidth   = 7
	rowHeight   = 20
	columnWidth = 64 // of a column that nothing was written into
	chartWidth  = 720
	chartTop    = rowHeight // a chart begins in the second row
	minChart    = 320
	barHeight   = 16
	labelHeight = 15
	aroundBars  = 120 // title, axis and legend
)

// tall is how much higher than wide a printed page may be: A4 and Letter, without
// margins.
const tall = 1.3

// width is that of all columns, and of a chart beside them.
func (b *Book) width() int {
	width := chartWidth + columnWidth
	for _, c := range b.columns {
		width += charWidth * c.width()
	}
	return width
}

// dimension is the size of a chart: enough for its bars to be told apart, while it
// still fits on the page on which the sheet is as wide as the paper.
func (b *Book) dimension(bars int) excelize.ChartDimension {
	height := max(minChart, aroundBars+barHeight*bars)
	height = min(height, max(minChart, int(tall*float64(b.width()))-chartTop))
	return excelize.ChartDimension{Width: chartWidth, Height: uint(height)}
}

// labelSkip says that each category has its label, or, where they would lie on each
// other, each second one and so on.
func labelSkip(categories int, height uint) int {
	fit := max(1, (int(height)-aroundBars)/labelHeight)
	return (categories + fit - 1) / fit
}

// setPage makes a sheet with a chart print as wide as the paper is, and on one page
// unless it has too many rows.
func (b *Book) setPage() error {
	if b.charts == 0 {
		return nil
	}
	rows, _ := b.size()
	height := max(rows*rowHeight, b.bottom)
	orientation, pages, fit := "landscape", 1, true
	if height > b.width() {
		orientation = "portrait"
	}
	if float64(height) > tall*float64(b.width()) {
		pages = 0 // as many as the rows need
	}
	if err := b.file.SetSheetProps(b.sheet, &excelize.SheetPropsOptions{FitToPage: &fit}); err != nil {
		return err
	}
	margin, one := 0.4, 1 // inches
	if err := b.file.SetPageMargins(b.sheet, &excelize.PageLayoutMarginsOptions{Left: &margin, Right: &margin, Top: &margin, Bottom: &margin}); err != nil {
		return err
	}
	return b.file.SetPageLayout(b.sheet, &excelize.PageLayoutOptions{Orientation: &orientation, FitToWidth: &one, FitToHeight: &pages})
}
