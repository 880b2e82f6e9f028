package durable_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// seeing is a model that keeps the pictures of each call.
type seeing struct {
	replies []string
	saw     [][]byte // the first picture of each call
}

func (s *seeing) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	var first []byte
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			if p.Image != nil && first == nil {
				first = p.Image.Data
			}
		}
	}
	s.saw = append(s.saw, first)
	reply := s.replies[0]
	s.replies = s.replies[1:]
	return &llm.Response{Text: reply}, nil
}

func painting(t *testing.T, w *world, model llm.Model, most int) *appagent.Agent {
	t.Helper()
	a, err := appagent.New(appagent.Config{Model: model, MaxActions: most, Desktop: w.desk, Window: desktop.Window{ID: "1", Root: "excel", Process: "book"}})
	require.NoError(t, err)
	return a
}

// What an agent saw when it decided is what it sees when it decides once more, byte
// for byte, and each picture is kept once.
func TestPicturesAreGivenBack(t *testing.T) {
	w := newWorld(t)
	w.store.start(3, false) // after the call
	first := &seeing{replies: []string{`{"Status":"CONTINUE","Actions":[{"Function":"add_row","Args":{"n":"1"}},{"Function":"add_row","Args":{"n":"2"}}]}`}}
	s, err := durable.Open(t.Context(), painting(t, w, first, 2), w.store, "run", nil)
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "add a row")
	require.ErrorIs(t, err, round.ErrLost)
	require.Len(t, first.saw, 1)
	require.NotEmpty(t, first.saw[0])
	w.store.start(0, false)
	w.excel.ChangeControl("rows", func(now *desktop.Control) { now.Name = "lines" }) // the window looks different by now

	other := &seeing{replies: []string{`{"Status":"FINISH","Comment":"seen"}`}} // two actions are too many now: it is asked again
	s, err = durable.Open(t.Context(), painting(t, w, other, 1), w.store, "run", &durable.Options{Existing: true})
	require.NoError(t, err)
	res, err := s.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "seen", res.Answer)
	require.NotEmpty(t, other.saw)
	assert.Equal(t, first.saw[0], other.saw[0])
	kinds, _ := w.records()
	blobs := 0
	for _, kind := range kinds {
		if kind == "blob" {
			blobs++
		}
	}
	assert.Equal(t, 2, blobs, "a list of tools and a picture")
}

// lossy is a store that has lost a record.
type lossy struct {
	store.Store
	seq int64
}

func (l lossy) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for entry, err := range l.Store.Read(ctx, run, from) {
			if from > 1 && entry.Seq == l.seq {
				entry.Data = []byte(`{"v":1,"kind":"blob","blob":{"ref":"sha256:other"}}`)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// Where the bytes are not those that were kept, nothing goes on with them.
func TestAPictureThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	w.store.start(3, false)
	model := &seeing{replies: []string{`{"Status":"CONTINUE","Function":"add_row","Args":{"n":"1"}}`}}
	s, err := durable.Open(t.Context(), painting(t, w, model, 2), w.store, "run", nil)
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "add a row")
	require.ErrorIs(t, err, round.ErrLost)
	w.store.start(0, false)
	kinds, _ := w.records()
	picture := int64(0) // the last one
	for i, kind := range kinds {
		if kind == "blob" {
			picture = int64(i + 1)
		}
	}
	s, err = durable.Open(t.Context(), painting(t, w, model, 2), lossy{w.store, picture}, "run", &durable.Options{Existing: true})
	require.NoError(t, err)
	_, err = s.Round().Run(t.Context())
	require.ErrorIs(t, err, round.ErrLost)
	assert.Len(t, model.saw, 1)
	assert.Empty(t, w.rows)

	forged := store.Memory()
	for entry, err := range w.store.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		if entry.Seq == picture {
			entry.Data = []byte(strings.Replace(string(entry.Data), `"data":"iVBOR`, `"data":"iVBOQ`, 1))
		}
		require.NoError(t, forged.Append(t.Context(), "run", entry.Seq-1, entry.Data))
	}
	_, err = durable.Open(t.Context(), painting(t, w, model, 2), forged, "run", &durable.Options{Existing: true})
	require.ErrorIs(t, err, store.ErrDamaged, "the bytes are not those of their name")
}
