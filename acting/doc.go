// Package acting does what a decision asks for. It is for those who write a kind of agent.
//
// An [Actor] executes a list of [Act]s in order, asks a policy before each, and stops at the
// first that does not succeed. A [Work] is what the agent has under way; its methods are the
// bodies of states:
//
//   - CONTINUE: PerformApproved before the model is asked, and Perform for what it decided;
//   - CONFIRM: Confirm asks for the approval of one exact act, and executes nothing;
//   - PENDING: Pending asks the questions of an [Interview].
//
// [Resolve] puts in what the blackboard has where a model wrote
// {"$ref": "subtask_result_1.data"}, before anything is checked.
//
// A Work belongs to the goroutine that drives its agent.
//
// # For who reads the code
//
// An approved act goes from the agent's act.go, which calls a.data.Work.PerformApproved, over perform.go
// to desktop.Execute. What voids an approval, and forgets it, is in void.go.
package acting
