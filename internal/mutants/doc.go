// Command mutants checks the tests: it plants known faults in the code, one at a
// time, and expects the test that each fault breaks to fail. A fault that no test
// notices is a hole in them.
//
//	go run ./internal/mutants                                    # all faults
//	go run ./internal/mutants -run approval -v                   # those with such a name, and why their tests fail
//	go run ./internal/mutants -sample 40                         # 40 faults, others for each commit
//	go run ./internal/mutants -changed origin/main -budget 3m    # of packages that changed, for three minutes
//
// # Faults
//
// Faults are data, in internal/mutants/testdata/*.txt. Each is one small change
// as a programmer could make it by mistake:
//
//	== act-before-confirm
//	file: acting/perform.go
//	test: TestPerform/needs_approval
//	why:  an act that needs approval is executed without it
//	-		case policies.Allow:
//	+		case policies.Allow, policies.Confirm:
//
// The test is one of the package that the file is in, here acting, or one of its
// subtests. Of a test with subtests one that fails is enough; -v says which.
//
// Some faults only another package can tell, such as one of the loop that shows with
// a host and its agents. Such a fault names that package:
//
//	== subtask-left-open
//	file: round/end.go
//	package: ./internal/scenarios
//	test: TestScenario17_Conversations/app_errs
//
// Then everything between both packages is compiled, which takes several times as
// long. So look for a test of the owner first, or write one.
//
// A file may be one of a nested module, such as adapters/mcp/tools.go. Its test, and
// the package that the fault may name, is then one of that module.
//
// The lines after "-" are the old text, which must occur exactly once in the
// file; those after "+" replace it, and may be absent. Old text need not be whole
// lines: what is written after "-" is searched for as it stands. A line that
// starts with "#" between faults is a comment.
//
// # Selection
//
// -run, -changed and -sample each leave out faults, in this order:
//
//	-run REGEXP    keeps faults whose name matches
//	-changed REV   keeps faults whose file, or whose test, is in a package that changed
//	-sample N      keeps N of those, chosen by -seed
//
// A package changed when one of its Go files or something in its testdata differs
// between the working tree and the commit where HEAD left REV; files that git does
// not know yet count, too. Where there is no git, no such revision or no common
// commit, the command says so, plants nothing and succeeds.
//
// -seed is any text; the same one chooses the same faults. Without it, it is the hash of the
// commit that is checked out, so that each commit tries other faults and everybody
// who tries that commit the same ones. The seed is printed.
//
// -budget ends the command after that time. It goes through the faults in the order
// that the seed gives them, stops what is still running at the end, and says how many
// it planted. What it did not finish is no failure.
//
// # Verdicts
//
// The files of the repository are never changed: a fault reaches the compiler by
// go test -overlay. Before the first fault of a package is planted, the tests that
// its faults name run without one. Tests run in their short form (go test -short), as
// a contributor runs them. Then a fault is
//
//	caught      its test fails
//	SURVIVED    its test passes
//	elsewhere   its test passes, but another one of that package fails: the data is wrong
//	ERROR       it cannot be applied, or does not compile, or its test fails without it
//
// Only -v tells elsewhere from SURVIVED, because for this it runs all tests of the
// package. Everything but caught makes the command fail. A test that no longer ends is
// stopped after -timeout, and counts as failed.
//
// A fault takes as long as compiling the packages between its file and its test, and
// running that test, so write none that only the timeout ends.
package main
