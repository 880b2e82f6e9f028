package llmtest

import (
	"fmt"
	"os"
	"testing"
)

// missError says that a cassette has no reply to a request. Its text leaves the
// request out, which may be long; Diff has it. errors.Is(err, ErrCassette) holds.
type missError struct {
	Path     string // of the cassette
	Call     int    // which call of the test it was, from 1
	Recorded int    // how many replies to this request there were, all used by now
	Diff     string // how the request differs from the nearest in the recording, without secrets
}

func (e *missError) Error() string {
	if e.Recorded > 0 {
		return fmt.Sprintf("llmtest: cassette %s: call %d repeats a request that was recorded %d times only", e.Path, e.Call, e.Recorded)
	}
	return fmt.Sprintf("llmtest: cassette %s: call %d asks what was not recorded", e.Path, e.Call)
}

// Unwrap returns [ErrCassette].
func (e *missError) Unwrap() error { return ErrCassette }

func howToRecord(t testing.TB, path string) string {
	name := "the test"
	if _, example := t.(nobody); !example {
		name = t.Name()
	}
	return fmt.Sprintf("to record %s again: set %s=1 and CassetteOptions.Record, and run %s", path, recordVariable, name)
}

// wantsRecording reads the switch.
func wantsRecording(t testing.TB) (bool, error) {
	switch value := os.Getenv(recordVariable); value {
	case "", "0":
		return false, nil
	case "1":
	default:
		return false, fmt.Errorf("%s is %q: 1 records, 0 or nothing replays", recordVariable, value)
	}
	if _, example := t.(nobody); example {
		return false, nil // there is no end at which it could be written
	}
	if ci := os.Getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return false, fmt.Errorf("%s is 1 and CI is %q: where CI is set nothing is recorded", recordVariable, ci)
	}
	return true, nil
}
