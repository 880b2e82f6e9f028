package mcpserver

import (
	"net/http"
	"time"
)

// patience is how long a client has to take what it is sent. A step is not over
// before it was told, and a run that cannot tell it would keep its turn for ever.
const patience = 15 * time.Second

// patient has a client that does not read lose its connection.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newPatient(w http.ResponseWriter) *patient {
	return &patient{ResponseWriter: w, control: http.NewResponseController(w)}
}

func (p *patient) Write(b []byte) (int, error) {
	defer p.limit()()
	return p.ResponseWriter.Write(b)
}

// FlushError is what http.ResponseController calls.
func (p *patient) FlushError() error {
	defer p.limit()()
	return p.control.Flush()
}

// Unwrap is for http.ResponseController.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// limit bounds what is sent until the func is called that it returns. Writers that
// know no deadline, such as those of tests, have none.
func (p *patient) limit() (done func()) {
	if p.control.SetWriteDeadline(time.Now().Add(patience)) != nil {
		return func() {}
	}
	return func() { _ = p.control.SetWriteDeadline(time.Time{}) }
}
