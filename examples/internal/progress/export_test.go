package progress

// What tests of texts look at directly.
var (
	Clean = clean
	Fit   = fit
	Width = width
)
