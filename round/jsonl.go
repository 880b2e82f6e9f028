package round

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// lineVersion is the version of the lines that [JSONL] and [JSONLResult] write. It is raised when a field changes its
// meaning or goes; new fields do not raise it, nor do lines of another kind: a step is a line with seq.
const lineVersion = 1

// MarshalJSON writes the step as [JSONL] does.
func (s Step) MarshalJSON() ([]byte, error) {
	type plain Step // without this method
	line := struct {
		Version int `json:"v"`
		plain
		Error string `json:"error,omitempty"`
	}{Version: lineVersion, plain: plain(s)}
	if s.Attempts == 1 {
		line.Attempts = 0 // it is left out
	}
	if s.Err != nil {
		line.Error = s.Err.Error()
	}
	return json.Marshal(line)
}

// JSONL returns an observer that writes each step as one line of JSON, with one Write for each. Secrets and image bytes
// are left out already. It panics when a write fails, which the Round makes a fault: a run whose record cannot be kept
// does not go on as if it were. It is safe for concurrent use, so that several rounds may share a file.
//
// How the round ended, or that it was put aside, is in no step. [JSONLResult] writes that.
func JSONL(w io.Writer) func(Step) {
	var mu sync.Mutex
	return func(s Step) {
		text, err := json.Marshal(s)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			_, err = w.Write(append(text, '\n'))
		}
		if err != nil {
			panic(err)
		}
	}
}

// JSONLResult writes what Run returned as one line of JSON, with one Write, behind the steps that [JSONL] wrote:
//
//	{"v":1,"result":{"outcome":"SUSPENDED","agent":"HostAgent","status":"PENDING",…}}
//
// A round that reached a bound, was suspended or was cancelled has no step that says so: without this line its file
// looks like that of a program that crashed. One that goes on has several, each behind the steps of one Run. The
// answer, the plan and the sub-tasks are not in it; what is in it is redacted. The error is that of w.
func JSONLResult(w io.Writer, res Result) error {
	type shown struct {
		Result
		Error string `json:"error,omitempty"`
	}
	line := struct {
		Version int   `json:"v"`
		Result  shown `json:"result"`
	}{lineVersion, shown{Result: res}}
	line.Result.Answer, line.Result.Subtasks = "", nil
	line.Result.Waits, line.Result.Wakes = nil, time.Time{}
	if res.Err != nil {
		line.Result.Error = res.Err.Error()
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err // a cost that is no number, of a Result that no round made
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
