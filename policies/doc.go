// Package policies says what agents may do. A policy is a [Func]. The agent calls it before every
// action, and it allows the action, has a person confirm it, or denies it. No word of a model, a
// document or a window is an approval.
//
// Most programs combine policies with [All]: the strictest verdict counts.
//
//	roots, err := policies.NewRoots([]string{"/home/ada/reports"}, nil)
//	...
//	cfg.Policy = policies.All(
//		policies.Except(policies.AskDestructive(), desktop.LaunchApplication),
//		policies.Paths(roots, nil),
//		policies.Apps([]string{"calc", "writer"}, nil), // launched without a question
//	)
//
// A list such as Apps denies what it does not list, and what it cannot judge ([Ask] asks a person
// instead). It allows commands that it is not about. A policy reads the command only: the guide
// docs/guides/approvals.md says what each one does not see. adapters/shellpolicy judges command lines.
//
// Several goroutines may use a policy.
package policies
