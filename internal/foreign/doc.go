// Package foreign checks that agent kinds can be written elsewhere: its test
// builds and tests a module that uses the public packages only. The module is in
// internal/testdata/foreign.
package foreign
