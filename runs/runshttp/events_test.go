package runshttp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// event is what a client reads of one.
type event struct {
	id   string
	data runs.Event
}

// events reads a stream until it ends, or until more returns false.
func events(t testing.TB, body io.Reader, more func(event) bool) {
	var e event
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "id":
			e.id = value
		case "data":
			require.NoError(t, json.Unmarshal([]byte(value), &e.data), value)
		case "":
			if e.id == "" {
				continue // a heartbeat
			}
			assert.Equal(t, e.id, strconv.FormatInt(e.data.Seq, 10))
			if !more(e) {
				return
			}
			e = event{}
		}
	}
}

func TestEvents(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true}).works()
	server := httptest.NewServer(w)
	defer server.Close()
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	resp, err := http.Get(server.URL + "/runs/a/events") //nolint:noctx // it ends with the run
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	var got []string
	events(t, resp.Body, func(e event) bool {
		got = append(got, e.data.Text)
		if e.data.Kind == "stop" {
			go w.got(http.StatusOK, "POST", "/runs/a/answers/q", `{"approved": true}`)
		}
		return true
	})
	assert.Equal(t, []string{
		`start "pay Ann"`, `round "pay Ann"`, `ask "Pay Ann?"`,
		`stop SUSPENDED at payer:CONTINUE: "waiting for an answer to: Pay Ann?"`,
		`answer, approved: true`, `resume`, `step payer:CONTINUE -> payer:FINISH`, `end FINISH at payer:FINISH, answer "paid"`,
	}, got)

	r := request("HEAD", "/runs/a/events", "")
	_, text, _ := w.do(r)
	assert.Empty(t, text)
	r = request("GET", "/runs/a/events", "")
	r.Header.Set("Last-Event-ID", "8")
	_, text, _ = w.do(r)
	assert.Equal(t, 2, strings.Count(text, "data:"), text)
	r.Header.Set("Last-Event-ID", "10")
	status, _, _ := w.do(r)
	assert.Equal(t, http.StatusNoContent, status)
	r.Header.Set("Last-Event-ID", "99")
	_, text, _ = w.do(r)
	assert.Equal(t, 8, strings.Count(text, "data:"), "of another run that had this id")
}

// Who closes its connection leaves no goroutine, and a service that nobody drives streams what others do.
func TestEventsLeft(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.do(request("GET", "/runs/a/events", "").WithContext(ctx)) //nolint:contextcheck // it gets the context here
	}()
	time.Sleep(50 * time.Millisecond)
	select {
	case <-done:
		assert.Fail(t, "the run has not ended")
	default:
	}
	cancel()
	<-done
}

var chaos = flag.Duration("chaos", 0, "how long clients watch, answer and cancel at random; 0: 5 seconds")

// Clients watch, answer and cancel at random, and are cut off. No event is lost or doubled, and no answer counts twice.
func TestManyClients(t *testing.T) {
	lasts := *chaos
	if lasts == 0 {
		lasts = 5 * time.Second
	}
	w := newWorld(t, 3, runshttp.Config{Local: true}).works()
	server := httptest.NewServer(w)
	defer server.Close()
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 100
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	post := func(path, body string) (status int, reply map[string]any) {
		resp, err := client.Post(server.URL+path, "application/json", strings.NewReader(body)) //nolint:noctx // it ends with the server
		require.NoError(t, err)
		defer resp.Body.Close()
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&reply))
		return resp.StatusCode, reply
	}
	var mu sync.Mutex
	given := map[string]int{} // by run and question: how many answers count
	began := 0

	var clients sync.WaitGroup
	for n := range 100 {
		clients.Go(func() {
			dice := rand.New(rand.NewPCG(1, uint64(n)))
			for turn := 0; ctx.Err() == nil; turn++ {
				run := fmt.Sprintf("run %d", (n+turn)%(20+turn*20)) // several clients have each
				mu.Lock()
				began++
				mu.Unlock()
				post("/runs", fmt.Sprintf(`{"id": %q, "request": "pay"}`, run))
				var seen []int64
				last := ""
				for range 1000 {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/runs/"+strings.ReplaceAll(run, " ", "%20")+"/events", nil) //nolint:contextcheck // a client lasts as long as the test
					require.NoError(t, err)
					r.Header.Set("Last-Event-ID", last)
					resp, err := client.Do(r)
					require.NoError(t, err)
					if resp.StatusCode == http.StatusNoContent {
						resp.Body.Close()
						break
					}
					require.Equal(t, http.StatusOK, resp.StatusCode)
					left := dice.IntN(6) // after which the connection is cut
					events(t, resp.Body, func(e event) bool {
						seen, last = append(seen, e.data.Seq), e.id
						path := "/runs/" + strings.ReplaceAll(run, " ", "%20")
						if e.data.Kind == "stop" {
							for q := 1; q <= 3; q++ {
								if _, reply := post(path+"/answers/"+questionID(q), fmt.Sprintf(`{"approved": %t}`, dice.IntN(8) > 0)); reply["given"] == true {
									mu.Lock()
									given[run+questionID(q)]++
									mu.Unlock()
								}
							}
							if dice.IntN(20) == 0 {
								post(path+"/cancel", `{"reason": "by chance"}`)
							}
						}
						left--
						return left != 0
					})
					resp.Body.Close()
				}
				var want []int64
				for r, err := range durable.Records(context.Background(), w.store, run) { //nolint:contextcheck // a reader of its own
					require.NoError(t, err)
					if r.Kind != "leave" && r.Kind != "drive" { // of no interest to anybody
						want = append(want, r.Seq)
					}
				}
				assert.Equal(t, want, seen, "%s: each event once, in order", run)
			}
		})
	}
	clients.Wait()
	for question, n := range given {
		assert.Equal(t, 1, n, question)
	}
	ended := 0
	for state, err := range durable.List(context.Background(), w.store, durable.Query{}) {
		require.NoError(t, err)
		assert.Equal(t, durable.Ended, state.Stage, state.Run)
		ended++
	}
	t.Logf("%d runs, watched %d times to their end, %d answers that count", ended, began, len(given))
}
