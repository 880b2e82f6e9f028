package adapters

// RequestDescription says to a model what [TaskArguments].Request is.
const RequestDescription = "the task, in plain words, with everything that is needed to do it"

// TaskArguments are what a model writes to call a runtask.Tool. The tag jsonschema is
// [RequestDescription], for packages that make a schema of the type.
type TaskArguments struct {
	Request string `json:"request" jsonschema:"the task, in plain words, with everything that is needed to do it"`
}
