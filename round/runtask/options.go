package runtask

import "time"

const (
	defaultName        = "run_task"
	defaultDescription = "Does a task in the applications of a desktop, and says what came of it. The task is done when the tool returns."
	defaultMaxData     = 4096
	closeTimeout       = 30 * time.Second // for the session, after a call
)

// Options configure a [Tool]. Nil and the zero value mean the defaults.
type Options struct {
	Name        string // "": run_task
	Description string // what the model reads; "": that it does a task in the applications of a desktop

	// MaxData is how many bytes of a sub-task's data are in the JSON of a [Result].
	// Longer data is left out, and data_bytes says how long it is. 0: 4096,
	// negative: any.
	MaxData int
}

// filled returns a copy with the defaults.
func (o *Options) filled() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Name == "" {
		out.Name = defaultName
	}
	if out.Description == "" {
		out.Description = defaultDescription
	}
	if out.MaxData == 0 {
		out.MaxData = defaultMaxData
	}
	return out
}
