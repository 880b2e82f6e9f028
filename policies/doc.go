// Package policies is about what agents may do. A policy is a [Func] that is asked before
// every action: allow it, have a person confirm it, or deny it. It believes nothing that a
// model, a document or a window says.
//
// Most programs want [All]: every policy must agree.
//
//	roots, err := policies.NewRoots([]string{"/home/ada/reports"}, nil)
//	...
//	cfg.Policy = policies.All(
//		policies.Except(policies.AskDestructive(), desktop.LaunchApplication),
//		policies.Paths(roots, nil),
//		policies.Apps([]string{"calc", "writer"}, nil), // launched without a question
//	)
//
// A list denies what it does not know ([Ask] makes that a question) and allows what does not
// concern it. A policy reads the command, not the world: the guide docs/guides/approvals.md
// says what each one does not see. Command lines are judged by adapters/shellpolicy.
//
// Policies may be used by several goroutines.
package policies
