// Package acting does what a decision asks for. It is for authors of a kind of agent.
//
// An [Actor] executes a list of [Act]s in order, asks a policy before each, and stops at the
// first that does not succeed. A [Work] holds what the agent has done and what it waits for: its
// memory, answers, last error, and an approval. Call its methods in the Handles of your states:
//
//   - In CONTINUE call PerformApproved. If its Performance has an Approval, go to CONFIRM. Otherwise ask
//     the model, and call Perform with the acts that the model decided.
//   - In CONFIRM call Confirm. It asks a person to approve one exact act, and executes nothing.
//   - In PENDING call Pending. It asks a person the questions of the model's last decision.
//
// A model can point to an earlier result: {"$ref": "subtask_result_1.data"} is the data of the first
// sub-task. [Resolve] replaces such a reference by the value on the blackboard. Call it before you
// check the arguments.
//
// A Work belongs to the goroutine that drives its agent.
//
// # For readers of the code
//
// An approved act takes this way: act.go of package appagent or hostagent calls
// [Work.PerformApproved], and perform.go passes the act to desktop.Execute. The code in void.go decides
// when an approval does not hold any more.
package acting
