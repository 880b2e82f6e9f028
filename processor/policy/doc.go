// Package policy has ready-made policies for agents, and funcs that put them
// together. A policy is code that is asked before every action: allow it, have a
// person confirm it, or deny it (see [processor.Policy]). None of them believes
// what a model, a document or a window says.
//
// # Choosing
//
//   - [ReadOnly]: tools that only read.
//   - [AskDestructive]: everything, but what cannot be taken back is asked about.
//   - [Tools]: tools of these names.
//   - [Apps]: launching, selecting and closing these applications.
//   - [Paths]: files in these directories ([Roots]).
//   - [Hosts]: these hosts ([HostList]).
//
// Command lines of a shell are judged by the module adapters/shellpolicy, which
// parses them.
//
// # Composing
//
// [All] is what a program mostly wants: every list must agree, and the strictest
// verdict holds with its reasons. [Any] lets through what one of several lists
// allows. [When] limits a policy to some commands, [Except] keeps it from some tools,
// [Named] puts its name into the reasons, [Distrust] takes tools' own word away from
// it. A nil policy is processor.DefaultPolicy, as in a Config.
//
//	roots, err := policy.NewRoots([]string{"/home/ada/reports"}, nil)
//	...
//	cfg.Policy = policy.All(
//		policy.Except(policy.AskDestructive(), desktop.LaunchApplication),
//		policy.Named("files", policy.Paths(roots, nil)),
//		policy.Apps([]string{"calc", "writer"}, nil),
//	)
//
// The programs of [Apps] are launched there without a question. Without the Except
// [AskDestructive] would ask at each launch, listed or not, because no policy of All
// takes back what another one wants; likewise for a shell command beside a list of
// command lines. What is excepted needs another policy that judges it.
//
// What a list does not know it denies. [Ask] turns this into a question to a
// person: Ask(Tools("texts")). A list allows what does not concern it: a command
// without a path passes [Paths].
//
// # What is recorded
//
// A verdict that is not a plain allow is in the Step of the Round, with its reason:
// so is an allow that has one. Reasons quote names and values in ASCII, cut and
// escaped, because they may be what a stranger wrote; values of parameters whose
// schema marks them as secret are not quoted. A denied action goes back to the
// model with the reason, so that it can do something else.
//
// # What is not promised
//
// A policy reads the command, not the world. It does not know what a tool does
// with its parameters, what is behind a click, or which file a dialog has open.
// Annotations are hints that MCP calls untrusted unless the server is trusted.
// [Paths] and [Hosts] know values by the names of parameters, by schemas and by
// their look; a tool that takes a path in another form is not seen. A host on the
// list may send its visitor on to one that is not. Whoever must
// be sure lists the tools, gives the agent an account of its own, and uses the
// sandbox of the system.
//
// # Concurrency
//
// Every policy here may be used by several goroutines at once, if what it was
// given may (funcs, other policies). None keeps anything between calls, and none
// starts a goroutine. [Roots] with Resolve read the file system; [Apps] calls
// the func that it was given, with the context of the action.
package policy
