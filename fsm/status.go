package fsm

import "strings"

// Status names a state. It is what a model writes, what a table's rows and
// edges speak of, and what a position is stored as.
type Status string

// The statuses that every kind of agent shares. A kind uses those that it
// registers and may add its own; hostagent adds ASSIGN.
const (
	Continue   Status = "CONTINUE"   // active: observe, ask the model, act, remember
	Finish     Status = "FINISH"     // the task is done: a success by itself
	Fail       Status = "FAIL"       // the task cannot be done: a decision
	Error      Status = "ERROR"      // something broke: a fault
	Pending    Status = "PENDING"    // waits for an answer or an event
	Confirm    Status = "CONFIRM"    // waits for approval of an act
	Screenshot Status = "SCREENSHOT" // observes, does not act
)

// ParseStatus reads a status as a model writes it: surrounding white space is
// dropped and letters are upper-cased, nothing else is repaired. The result
// need not be a status that anything has registered.
func ParseStatus(text string) Status {
	return Status(strings.ToUpper(strings.TrimSpace(text)))
}
