// Command mutants checks the tests: it plants known faults in the code, one at a time,
// and expects the test that each fault names to fail.
//
//	go run ./mutants                                    # all faults
//	go run ./mutants -run approval -v                   # those with such a name, and why their tests fail
//	go run ./mutants -sample 40                         # 40 faults, others for each commit
//	go run ./mutants -changed origin/main -budget 3m    # of packages that changed, for three minutes
//
// # Faults
//
// Faults are data, in testdata/*.txt, a file for each section of docs/guides/promises.md:
//
//	== act-before-confirm
//	in:   acting body.perform
//	test: TestPerform/needs_approval
//	why:  an act that needs approval is executed without it
//	-policies.Allow
//	+policies.Allow, policies.Confirm
//
// The first line after "in" has the folder of a package and the name of a function, a
// method, a type or a variable. The lines after "-" are expressions or statements that
// occur once in it; those after "+" replace them, and may be absent. Code is compared
// token by token, so neither its file, its layout nor its comments matter. The test is
// one of the same package, unless "package" names the folder of another one. Lines
// that start with "#" are comments.
//
// # Selection
//
// -run, -changed and -sample leave out faults, in this order. A package changed when a
// Go file or its testdata differs between the working tree and the commit where HEAD
// left the revision. -sample and -budget choose by a hash of the seed and the name of
// the fault; the seed is the commit unless -seed gives another one.
//
// # Verdicts
//
// No file of the repository is changed: a fault reaches the compiler by go test
// -overlay. Tests run in their short form. A fault is
//
//	caught      its test fails
//	SURVIVED    its test passes
//	ERROR       it cannot be planted or compiled, or its test does not pass without it
//
// Everything but caught makes the command fail.
package main
