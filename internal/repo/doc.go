// Package repo has tests of the repository itself: which package imports which, what the
// modules require, that links in documents lead somewhere, that promises and scenarios
// have tests.
package repo
