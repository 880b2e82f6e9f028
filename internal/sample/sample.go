// Package sample says how much a test tries. With go test -short, the short form, that is
// some of many like cases; without it, the whole form, all of them. [Case] is for tests that the short form leaves out
// altogether.
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

// Raced is a further step from one case to the next, where the race detector makes each many
// times slower: n in the short form with it, and 1 elsewhere. It is for like cases, of which a
// few have all goroutines that the others have. The short form runs without it, too (.ci/test).
//
//	for seed := 0; seed < 200; seed += sample.Raced(8) {
func Raced(n int) int {
	if UnderRace {
		return Every(n)
	}
	return 1
}
