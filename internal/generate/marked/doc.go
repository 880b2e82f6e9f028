// Package marked keeps parts of Markdown files equal to what they show: the
// diagram of a machine, or code from an Example that go test runs. A document
// that copies by hand is wrong from the first change on.
//
// # Markers
//
// A marker is an HTML comment on a line of its own. What stands between it and
// the comment that closes it is replaced:
//
//	<!-- example: round/example_test.go ExampleRound -->
//	anything
//	<!-- /example -->
//
// Markers inside of code fences are text. Go code in a fence of its own, outside
// of every marker, is refused. [Replace] does the replacing, with one
// [Renderer] for each word that may open a marker.
//
// # Code
//
// [Example] shows the body of an Example function, or a region of it: the lines
// between the comments "// region NAME" and "// endregion". [Program] shows a
// whole program with that body as its main, so that a reader can paste and run
// it. Both refuse an Example without an output comment, because go test only
// compiles such a one. (An output comment that follows "// endregion" without an
// empty line is not one: Go takes the two lines for one comment.) [Output] shows
// what an Example prints. [Code] shows declarations of any file, or all of it.
package marked
