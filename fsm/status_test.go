package fsm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/stretchr/testify/require"
)

func TestParseStatus(t *testing.T) {
	tests := []struct {
		text string
		want fsm.Status
	}{
		{"FINISH", fsm.Finish},
		{" \t\r\nFinish ", fsm.Finish},
		{"", ""},
		{"FINISH.", "FINISH."},
		{"need input", "NEED INPUT"},
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

func TestCauseText(t *testing.T) {
	tests := []struct {
		cause fsm.Cause
		text  string
	}{
		{0, "none"},
		{fsm.ByModel, "model"},
		{fsm.BySystem, "system"},
		{fsm.ByUser, "user"},
		{fsm.ByTimeout, "timeout"},
		{fsm.ByFault, "fault"},
		{fsm.ByModel | fsm.BySystem, "model|system"},
		{fsm.ByModel | fsm.BySystem | fsm.ByUser | fsm.ByTimeout | fsm.ByFault, "model|system|user|timeout|fault"},
		{64, "cause(64)"},
		{fsm.ByUser | 32, "user|cause(32)"},
	}
	for _, test := range tests {
		assert.Equal(t, test.text, test.cause.String())
	}
	for i := range 256 {
		c := fsm.Cause(i)
		text, err := json.Marshal(c)
		require.NoError(t, err)
		var back fsm.Cause
		require.NoError(t, json.Unmarshal(text, &back), "%s", text)
		assert.Equal(t, c, back, "%s", text)
	}
}

func TestCauseTextErrors(t *testing.T) {
	for _, text := range []string{"MODEL", "model|", "|model", "model|none", "model, user", " model", "cause(1)", "cause(0)", "cause(999)", "cause(64", "64)", "cause()"} {
		c := fsm.ByTimeout
		err := c.UnmarshalText([]byte(text))
		assert.ErrorContains(t, err, "fsm: unknown cause", text)
		assert.Equal(t, fsm.ByTimeout, c, "an error changes nothing")
	}
	c := fsm.ByTimeout
	require.NoError(t, c.UnmarshalText(nil))
	assert.Zero(t, c)
}
