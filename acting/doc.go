// Package acting does what a decision asks for. It is for authors of a kind of agent.
//
// An [Actor] executes a list of [Act]s in order, asks a policy before each, and stops at the
// first that does not succeed. A [Work] is what the agent has under way. Its methods are the
// bodies of states:
//
//   - CONTINUE: PerformApproved before the model is asked, and Perform for what it decided;
//   - CONFIRM: Confirm asks for the approval of one exact act, and executes nothing;
//   - PENDING: Pending asks the questions that the decision had.
//
// Where a model wrote {"$ref": "subtask_result_1.data"}, [Resolve] puts in what the blackboard
// has, before anything is checked.
//
// A Work belongs to the goroutine that drives its agent.
//
// # For readers of the code
//
// The agent's act.go calls [Work.PerformApproved] for an approved act; perform.go hands it to
// desktop.Execute. void.go says what voids an approval, and forgets it.
package acting
