// Package papers reads the tables of the document in a real Writer, through the accessibility tree, and gives its agent
// the tools list_tables and extract_table, as the quickstart's Word has them.
//
//	d := papers.Open(screen) // a Desktop: narrowed to a window of Writer it has two tools more
package papers
