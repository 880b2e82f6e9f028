// Command race does nothing. That it builds with -race and runs shows that the
// race detector works on this machine.
package main

func main() {}
