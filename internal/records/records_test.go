package records_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// Of what is skipped only the beginning is read, and anything that does not begin as a record does is read whole.
func TestScannerSkips(t *testing.T) {
	at := time.Date(2026, 11, 27, 8, 0, 0, 1, time.UTC)
	whole, err := json.Marshal(&records.Record{V: records.Version, Kind: records.KindBlob, At: at, Blob: &records.Blob{Ref: "sha256:1"}})
	require.NoError(t, err)
	skips := func(text string) (*records.Record, error) {
		s := records.Scanner{Run: "r", Skip: []string{records.KindBlob, records.KindCall}}
		return s.Read(store.Entry{Seq: 1, Data: []byte(text)})
	}
	r, err := skips(string(whole))
	require.NoError(t, err)
	assert.Equal(t, &records.Record{V: records.Version, Kind: records.KindBlob, At: at}, r)

	other := strings.Replace(string(whole), "blob", "step", 1)
	r, err = skips(other)
	require.NoError(t, err)
	assert.Equal(t, "sha256:1", r.Blob.Ref, "another kind")
	r, err = skips(`{"kind":"blob","v":1,"blob":{"ref":"sha256:2"}}`)
	require.NoError(t, err)
	assert.Equal(t, "sha256:2", r.Blob.Ref, "in another order")
	_, err = skips(strings.Replace(string(whole), `"v":1`, `"v":2`, 1))
	require.ErrorIs(t, err, store.ErrVersion)
	_, err = skips(`{"v":1,"kind":"blob","at":"yesterday"}`)
	require.ErrorIs(t, err, store.ErrDamaged)
}

// A command with an id of 19 digits must come back as the same one.
func TestReadKeepsDigits(t *testing.T) {
	r, err := records.Read([]byte(`{"v":1,"kind":"intent","act":{"command":{"tool_name":"erase","parameters":{"id":1234567890123456789}}}}`))
	require.NoError(t, err)
	assert.Equal(t, json.Number("1234567890123456789"), r.Act.Command.Parameters["id"])
}
