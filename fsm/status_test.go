package fsm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
)

func TestParseStatus(t *testing.T) {
	tests := []struct {
		text string
		want fsm.Status
	}{
		{"FINISH", fsm.Finish},
		{"finish", fsm.Finish},
		{" \t\r\nFinish ", fsm.Finish},
		{"", ""},
		{"   ", ""},
		{"FINISH.", "FINISH."},
		{"'FINISH'", "'FINISH'"},
		{"need input", "NEED INPUT"},
		{"<FINISH>", "<FINISH>"},
		{"\u00a0fertig für heute\u2003", "FERTIG FÜR HEUTE"},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, fsm.ParseStatus(test.text), "%q", test.text)
	}
}

func FuzzParseStatus(f *testing.F) {
	for _, seed := range []string{"", "finish", " Continue\n", "ſ ı ǆ ß", "\xff\xfe", "\x85a\x85", "a\u2028"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := fsm.ParseStatus(text)
		if twice := fsm.ParseStatus(string(once)); twice != once {
			t.Fatalf("%q reads as %q, which reads as %q", text, once, twice)
		}
		if s := string(once); strings.TrimSpace(s) != s {
			t.Fatalf("%q reads as %q, which has white space around it", text, once)
		}
	})
}
