package playwright

import "fmt"

// refusal is a tool saying no: the reason of a result with status failure.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// gone is what is said when the browser was closed behind the agent's back.
const gone = refusal("the browser was closed; the page is lost, and with it what was filled in and perhaps the login")
