//go:build !race

package sample

// UnderRace reports whether the race detector is in this program.
const UnderRace = false
