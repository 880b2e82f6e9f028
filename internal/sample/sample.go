// Package sample says how much a test tries. With go test -short, the short form, that is
// some of many like cases; without it, the whole form, all of them.
package sample

import "testing"

// Every is the step from one case to the next: 1, and n in the short form.
//
//	for at := 1; at <= records; at += sample.Every(13) {
func Every(n int) int { return Of(1, n) }

// Of is how many there are: all, and few in the short form.
//
//	for range sample.Of(10_000, 500) {
func Of(all, few int) int {
	if testing.Short() {
		return few
	}
	return all
}
