package records_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
)

func TestScanner(t *testing.T) {
	s := records.Scanner{Run: "r"}
	for seq, kind := range []string{records.KindRound, records.KindStep} {
		r, err := s.Read(store.Entry{Seq: int64(seq) + 1, Data: []byte(`{"v":1,"kind":"` + kind + `","of a newer kind":{}}`)})
		require.NoError(t, err)
		assert.Equal(t, kind, r.Kind)
	}
	assert.EqualValues(t, 2, s.Seq)
}

func TestScannerRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		seq  int64
		text string
		says string // "": it is of a newer version
	}{
		"a record is missing": {5, `{"v":1}`, "it has the number 5"},
		"one is there twice":  {3, `{"v":1}`, "it has the number 3"},
		"not JSON":            {4, `{"v":1`, "it cannot be read"},
		"two of them":         {4, `{"v":1} {"v":1}`, "it cannot be read: invalid character '{' after top-level value"},
		"half of another one": {4, `{"v":1} {`, "it cannot be read"},
		"another form":        {4, `{"v":1,"kind":{}}`, "it cannot be read"},
		"no version":          {4, `{"kind":"step"}`, "it has no version"},
		"the next version":    {4, `{"v":2,"kind":{}}`, ""},
		"a later one":         {4, `{"v":99}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := records.Scanner{Run: "r", Seq: 3}
			_, err := s.Read(store.Entry{Seq: c.seq, Data: []byte(c.text)})
			if c.says == "" {
				require.ErrorIs(t, err, store.ErrVersion)
				require.ErrorContains(t, err, fmt.Sprintf("%d is the newest that can be read", records.Version))
				return
			}
			var damage *store.DamageError
			require.ErrorAs(t, err, &damage)
			assert.EqualValues(t, 4, damage.Seq)
			assert.Contains(t, damage.Reason, c.says)
		})
	}
}

// What is recorded is read as it was, to the byte.
func TestEncode(t *testing.T) {
	n := &records.Record{
		V: records.Version, Kind: records.KindLook, At: time.Now().UTC(),
		Act:    &records.Act{ID: "c-1", Command: desktop.Command{ToolName: "get_ui_tree", Looks: true, CallID: "c-1"}},
		Result: &records.Result{ID: "c-1", Status: desktop.Success, Content: []records.Content{{JSON: []byte(`{"text":"<a> & b"}`)}}},
	}
	raw, err := records.Encode(n)
	require.NoError(t, err)
	back, err := records.Read(raw)
	require.NoError(t, err)
	assert.Equal(t, n, back)
	for name, n := range map[string]*records.Record{
		"its time":   {At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"its member": {Act: &records.Act{Command: desktop.Command{Parameters: map[string]any{"f": func() {}}}}},
	} {
		_, err := records.Encode(n)
		require.Error(t, err, name)
	}
}

// A command with an id of 19 digits must come back as the same one.
func TestReadKeepsDigits(t *testing.T) {
	r, err := records.Read([]byte(`{"v":1,"kind":"intent","act":{"command":{"tool_name":"erase","parameters":{"id":1234567890123456789}}}}`))
	require.NoError(t, err)
	assert.Equal(t, json.Number("1234567890123456789"), r.Act.Command.Parameters["id"])
}
