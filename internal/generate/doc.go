// Command generate renews the generated parts of the repository's Markdown
// files: the diagrams of the built-in machines, drawn from the tables that the
// Round enforces, and code from Examples that go test runs.
//
//	go run ./internal/generate           write what is out of date
//	go run ./internal/generate -check    only say what is, and fail
//
// The markers that it knows are
//
//	<!-- diagram: KIND -->                           hostagent or appagent
//	<!-- example: FILE FUNCTION [REGION] -->         body of an Example, or a region of it
//	<!-- program: FILE FUNCTION -->                  the same as a whole program
//	<!-- output: FILE FUNCTION [LANGUAGE] -->        what it prints, as text or in that language (mermaid)
//	<!-- code: FILE [NAME…] -->                      declarations of a Go file, or all of it; a method is TYPE.NAME
//	<!-- text: FILE [HEADING] -->                    a file of testdata, or what is below its line --- HEADING
//	<!-- bench: TABLE -->                            measurements, left as they are: `make bench-peers` renews them
//
// each closed by a comment with the word after a slash, as in <!-- /diagram -->.
package main
