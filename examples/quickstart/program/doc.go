// Package program is the quickstart without its model: a HostAgent with two applications, Word and Excel, and a person
// who approves that a file is replaced. [Run] is the place to begin. Go code plays the applications: word.go and
// excel.go have their tools. Your program has a driver of real applications in their place.
package program
