package linux

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Snapshot returns the agent's data as JSON: what a later process needs to go on.
// It is not for people: a command that waits for approval is in it as it is.
func (a *Agent) Snapshot() ([]byte, error) {
	d := a.data
	d.Status, d.Decision = a.Status(), a.Decision()
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("linux: snapshot: %w", err)
	}
	return raw, nil
}

// Restore replaces the agent's data by a snapshot. When it fails, the agent is as
// it was.
func (a *Agent) Restore(snapshot []byte) error {
	var d data
	decoder := json.NewDecoder(bytes.NewReader(snapshot))
	decoder.UseNumber() // arguments keep their digits, or an approval would not match
	if err := decoder.Decode(&d); err != nil {
		return fmt.Errorf("linux: restore: %w", err)
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.data = d
	return nil
}
