//go:build !e2e

package sqlstore_test

// otherBackends are those that need a server: with the tag e2e.
var otherBackends []backend

func stopServers() error { return nil }
