package adapterstest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Block is a text or an image of a request, as a provider gets it.
type Block struct {
	Text  string // of an image any that stands for it
	Cache bool   // the provider is told that the prompt up to its end comes again
}

// begun is a request as the agent made it, and as the provider got it.
type begun struct {
	by     string // the agent and its task
	text   string // what a model reads
	blocks []Block
	ends   []int // where the agent says that the prompt up to there comes again
	cached []int // where the provider is told so
	memos  int   // steps in the history
}

// Each request begins as the one before, up to the place that both say, and no further: what is cached
// is all that can be.
func testPrefix(t *testing.T, a Adapter) {
	last := map[string]begun{}
	dropped, again, share, counted := 0, 0, 0.0, 0
	for i, now := range manySteps(t, a) {
		before, there := last[now.by]
		last[now.by] = now
		if a.Caches {
			want := now.ends
			if more := len(want) - 3; more > 0 {
				want = slices.Delete(slices.Clone(want), 2, 2+more)
			}
			require.Equal(t, want, now.cached, "request %d", i+1)
		} else {
			require.Empty(t, now.cached)
		}
		if !there {
			continue
		}
		same, end := commonPrefix(before.text, now.text), before.ends[len(before.ends)-1]
		switch {
		case now.memos == before.memos: // the model is asked again
			again++
			require.Equal(t, before.text, now.text[:same], "request %d", i+1)
			require.Equal(t, before.ends, now.ends)
		case now.memos < before.memos: // the history lost a block, and begins anew
			dropped++
			require.GreaterOrEqual(t, same, before.ends[1], "request %d", i+1)
			require.Equal(t, before.ends[:2], now.ends[:2])
		case before.memos == 0:
			require.Equal(t, end+len(section.Heading), same, "request %d: then the history begins", i+1)
			require.Equal(t, before.ends, now.ends[:2])
		default:
			require.Equal(t, end, same, "request %d: the prompt stays the same up to the last breakpoint, and no further", i+1)
			require.Equal(t, before.ends, now.ends[:len(before.ends)])
		}
		if a.Caches {
			require.Equal(t, before.upTo(same), now.upTo(same), "request %d: the provider compares blocks", i+1)
		}
		if now.memos > 4 {
			share, counted = share+float64(same)/float64(len(now.text)), counted+1
		}
	}
	assert.Greater(t, dropped, 2)
	assert.Equal(t, 1, again)
	require.Greater(t, counted, 20)
	assert.Greater(t, share/float64(counted), 0.6, "of a prompt was in the one before")
}

// upTo are the whole blocks in the first n bytes.
func (a begun) upTo(n int) (texts []string) {
	for _, b := range a.blocks {
		if n -= len(b.Text); n < 0 {
			break
		}
		texts = append(texts, b.Text)
	}
	return texts
}

// manySteps is a run of two agents on a desktop, of which one control changes in each step of one.
func manySteps(t *testing.T, a Adapter) []begun {
	t.Helper()
	app := &desktoptest.App{Root: "word", Process: "report.docx", Running: true}
	for i := range 20 {
		app.Controls = append(app.Controls, desktop.Control{ID: fmt.Sprintf("e%d", i), Name: fmt.Sprintf("Field %d", i), Type: "Edit"})
	}
	turns := []string{`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "count to forty"}`}
	for i := range 40 {
		turns = append(turns, fmt.Sprintf(`{"Thought": %q, "Status": "CONTINUE", "Function": "set_edit_text", "Args": {"id": "e7", "text": "%d"}}`, strings.Repeat("The number is not high enough. ", 40), i))
	}
	turns = append(turns, `{"Status": "FINISH", "Result": 40}`)
	for i := range 30 {
		turns = append(turns, fmt.Sprintf(`{"Thought": "I wait for the %dth time.", "Status": "CONTINUE", "Function": "wait", "Args": {"seconds": 0.00%d}}`, i, i))
	}
	turns = append(turns, `{"Status": "FINISH", "Result": "It is at forty."}`)
	var answers []http.HandlerFunc
	for i, turn := range turns {
		answers = append(answers, a.says(turn))
		if i == 20 {
			answers[i], answers = a.says("I am not sure."), append(answers, answers[i]) // it is asked again
		}
	}
	s := Serve(t, answers...)
	var requests []*llm.Request
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{
		Model:   llm.Record(a.at(t, s), func(req *llm.Request, _ *llm.Response, _ error) { requests = append(requests, req) }),
		Desktop: desktoptest.New(t, app),
	}})
	require.NoError(t, err)
	r, err := round.New(host, "count to forty", &round.Options{MaxSteps: 100})
	require.NoError(t, err)
	result, err := r.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, "It is at forty.", result.Answer)
	sent := s.Sent()
	require.Len(t, requests, len(sent))
	var list []begun
	for i, req := range requests {
		list = append(list, read(t, req, a.Blocks(t, sent[i])))
	}
	require.Len(t, list, len(turns)+1)
	return list
}

// read puts a request and what was sent of it side by side.
func read(t *testing.T, req *llm.Request, blocks []Block) begun {
	t.Helper()
	out := begun{blocks: blocks}
	for _, b := range blocks {
		out.text += b.Text
		if b.Cache {
			out.cached = append(out.cached, len(out.text))
		}
	}
	at, system := 0, req.Messages[0].Text()
	for i := range req.Messages {
		text := req.Messages[i].Text()
		// Between two messages an adapter may write the schema, or an empty line.
		found := strings.Index(out.text[at:], text)
		require.GreaterOrEqual(t, found, 0, "the provider gets the texts as they stand")
		at += found
		for _, part := range req.Messages[i].Parts {
			if at += len(part.Text); part.CacheBreakpoint {
				out.ends = append(out.ends, at)
			}
		}
	}
	subtask, _ := llm.FindSection(req, "subtask")
	out.by = system + string(subtask)
	if raw, there := llm.FindSection(req, "history"); there {
		out.memos = strings.Count(string(raw), "\n{")
	}
	if finished, there := llm.FindSection(req, "previous_subtasks"); there {
		out.by += string(finished)
	}
	return out
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
