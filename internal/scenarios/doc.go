// Package scenarios holds the behaviours that must hold, each as a test named
// TestScenarioNN. They use the public packages and the exported fakes only, as
// a user's tests would. Many are conversations, texts that are played: see
// testdata/README.md.
package scenarios
