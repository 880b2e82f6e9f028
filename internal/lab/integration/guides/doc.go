// Package guides has the Examples of docs/guides that need adapters. The program of
// docs/tutorial.md is in the folder tutorial. They are a module of their own, which
// has nothing but tests and that program.
package guides
