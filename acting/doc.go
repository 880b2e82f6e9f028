// Package acting does what a decision asks for. It is for those who write a kind of agent.
//
// An [Actor] executes a list of [Act]s in order, asks a policy before each, and stops at the
// first that does not succeed. A [Waiting] is what the agent waits for from a person; its
// methods are the bodies of states:
//
//   - CONTINUE: PerformApproved before the model is asked, and Perform for what it decided;
//   - CONFIRM: Confirm asks for the approval of one exact act, and executes nothing;
//   - PENDING: Pending asks the questions of an [Interview].
//
// An approval is of the tool, the arguments and the target: whichever has changed voids it.
//
// A [Memory] is what the next prompts show of the steps. [Resolve] puts in what the blackboard
// has where a model wrote {"$ref": "subtask_result_1.data"}; it comes before all checks.
//
// What is part of an agent's data belongs to the goroutine that drives the agent.
package acting
