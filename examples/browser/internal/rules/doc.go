// Package rules plays the model of the browser example. [Model] decides as a language model would, by what the
// controls of a page are called and what stands in its tables:
//
//	host       the stock, then the order, then the summary
//	warehouse  logs in, reads the table page by page, notes what is below its minimum
//	supplier   fills the basket in whole packs, compares basket, review and receipt, presses the button
//	files      writes the summary and reads it again
//
// A page is gone when the next one is there. A rule therefore writes what it must remember into the Observation of its
// reply, and finds it in the history.
package rules
