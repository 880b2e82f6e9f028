// Package legible makes texts of strangers fit for the eyes of people: a terminal
// does not obey them, and what cannot be seen is written out. The escapes are those
// of JSON.
package legible
