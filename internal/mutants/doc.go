// Command mutants checks the tests: it plants known faults in the code, one at a
// time, and expects the test that each fault breaks to fail. A fault that no test
// notices is a hole in them.
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
// A fault of which no scenario can tell, because it takes a process that dies, a
// disk that fails or a second process, names the package whose test can:
//
//	== intent-not-synced
//	file:    round/journal/writer.go
//	package: ./round/journal
//	test:    TestPowerCutAtEveryChange
//
// Then the test may be one of its subtests, TestX/y, which makes a long one short.
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
