// Command mutants checks the scenario tests: it plants known faults in the
// code, one at a time, and expects the scenario that each fault breaks to fail.
// A fault that no scenario notices is a hole in the tests.
//
//	go run ./internal/mutants [-run REGEXP] [-v]
//
// # Faults
//
// Faults are data, in internal/mutants/testdata/*.txt. Each is one small change
// as a programmer could make it by mistake:
//
//	== act-before-confirm
//	file: processor/perform.go
//	test: TestScenario22_ApprovedActIsExecutedOnceAfter
//	why:  an act that needs approval is executed without it
//	-		case Allow:
//	+		case Allow, Confirm:
//
// The test is one of package internal/scenarios: that of a scenario by its number,
// or TestPlan_Followed, TestReplies, TestAttacks_OnLists and what else begins so.
// Of a test with subtests one that fails is enough; -v says which.
//
// The lines after "-" are the old text, which must occur exactly once in the
// file; those after "+" replace it, and may be absent. Old text need not be whole
// lines: what is written after "-" is searched for as it stands. A line that
// starts with "#" between faults is a comment.
//
// # Verdicts
//
// The files of the repository are never changed: a fault reaches the compiler by
// go test -overlay. Before any fault is planted, all tests that faults name must
// pass. Then a fault is
//
//	caught      its test fails
//	elsewhere   its test passes, but another one fails: the data is wrong
//	SURVIVED    every test of that package passes
//	ERROR       it cannot be applied, or does not compile
//
// Everything but caught makes the command fail. A test that no longer ends is
// stopped after -timeout, and counts as failed.
//
// A fault takes as long as compiling the packages that stand on the changed one
// and running one test, so write none that only the timeout ends.
package main
