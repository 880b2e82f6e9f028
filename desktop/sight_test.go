package desktop_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// says is a desktop that answers every command with its text, always in the same memory.
type says struct{ text []byte }

func (s *says) say(text string) { s.text = append(s.text[:0], text...) }

func (s *says) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (s *says) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	if len(s.text) == 0 {
		return desktop.FailureResult("the window is dark"), nil
	}
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(s.text)}}}, nil
}

// A Sight sees what the funcs see, and reads only what the desktop did not say before.
func TestSight(t *testing.T) {
	var sight desktop.Sight
	d := &says{}
	var before []desktop.Control
	for _, c := range []struct {
		says string
		same bool // as before
	}{
		{`[{"id":"1"},{"id":"2"}]`, false},
		{`[{"id":"1"},{"id":"2"}]`, true},
		{`[{"id":"1"},{"id":"3"}]`, false},
		{``, false},
		{`[{"id":"1"},{"id":"3"}]`, true},
		{`[{"id":"1"},{"id":"1"}]`, false}, // with an error beside the list
		{`[{"id":"1"},{"id":"1"}]`, true},
		{`{"id":"1"}`, false},
		{` {"id":"1"} `, false},
		{`7`, false},
		{`[]`, false},
		{`[{"id":"1","children":[{"id":"2"}]}]`, false},
	} {
		d.say(c.says)
		want, wantErr := desktop.UITree(t.Context(), d)
		got, err := sight.UITree(t.Context(), d)
		require.Equal(t, want, got, c.says)
		require.Equal(t, wantErr, err, c.says)
		if len(got) > 0 {
			assert.Equal(t, c.same, len(before) > 0 && &before[0] == &got[0], c.says)
			before = got
		}
		if len(got) != 1 {
			continue
		}
		windows, err := sight.Windows(t.Context(), d)
		require.NoError(t, err)
		assert.Equal(t, []desktop.Window{{ID: "1"}}, windows)
		w, owned, err := sight.AppWindow(t.Context(), d)
		require.NoError(t, err)
		assert.Equal(t, desktop.Window{ID: "1"}, w)
		assert.Empty(t, owned)
	}
}
