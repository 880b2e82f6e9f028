// Package openfiles counts the files that a test has open.
package openfiles
