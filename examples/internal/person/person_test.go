package person_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/people"
)

func TestPerson(t *testing.T) {
	act := people.Question{Text: "Send?", Command: &desktop.Command{ToolName: "click_input"}}
	for name, c := range map[string]struct {
		confirm  person.Consent
		terminal bool
		q        people.Question
		typed    string
		approved bool
	}{
		"yes":                        {person.Yes, false, act, "", true},
		"no":                         {person.No, true, act, "y\n", false},
		"no terminal":                {person.Ask, false, act, "y\n", false},
		"yes, to nothing in special": {person.Yes, false, people.Question{Text: "Go on?"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			p := &person.Person{Console: person.Console{In: strings.NewReader(c.typed), Out: &out, Terminal: c.terminal}, Confirm: c.confirm}
			a, err := p.Ask(t.Context(), c.q)
			require.NoError(t, err)
			assert.Equal(t, c.approved, a.Approved)
			assert.Contains(t, out.String(), c.q.Text)
		})
	}
}

// TestPersonTypes is somebody at the terminal, whose answer comes behind the question.
func TestPersonTypes(t *testing.T) {
	for typed, approved := range map[string]bool{"y": true, "YES": true, "": false, "n": false, "yeah": false} {
		in, write := io.Pipe()
		p := &person.Person{Console: person.Console{In: in, Out: writerFunc(func(b []byte) {
			if strings.HasSuffix(string(b), "[y/N] ") {
				go func() { _, _ = io.WriteString(write, typed+"\n") }()
			}
		}), Terminal: true}, Confirm: person.Ask}
		a, err := p.Ask(t.Context(), people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.NoError(t, err)
		assert.Equal(t, approved, a.Approved, typed)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p.Out = io.Discard
		_, err = p.Ask(ctx, people.Question{Text: "Send?", Command: &desktop.Command{}})
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, write.Close())
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
