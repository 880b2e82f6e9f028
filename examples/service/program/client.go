package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/runs"
)

// client calls the API at a URL.
type client string

// asked is a part of what the API says of a run.
type asked struct {
	Outcome   string `json:"outcome"`
	Answer    string `json:"answer"`
	Reason    string `json:"reason"`
	Questions []struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	} `json:"questions"`
}

// call sends a request, with a body if there is one. The caller closes the body of the response.
func (c client) call(ctx context.Context, method, path, last string, body any) (*http.Response, error) {
	var text io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(ctx, method, string(c)+path, text)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Last-Event-Id", last)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 {
		problem, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, problem)
	}
	return resp, nil
}

// start starts a run, and returns the status of the response.
func (c client) start(ctx context.Context, id, request string) (string, error) {
	resp, err := c.call(ctx, http.MethodPost, "/runs", "", map[string]any{"id": id, "request": request})
	if err != nil {
		return "", err
	}
	return resp.Status, resp.Body.Close()
}

// get returns the state of a run.
func (c client) get(ctx context.Context, id string) (run asked, err error) {
	resp, err := c.call(ctx, http.MethodGet, "/runs/"+id, "", nil)
	if err != nil {
		return run, err
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	return run, json.NewDecoder(resp.Body).Decode(&run)
}

// watch calls see with what happens in a run until it ends. If the stream breaks, it asks for what is behind the last
// event, as an EventSource of a browser does.
func (c client) watch(ctx context.Context, id string, see func(runs.Event) error) error {
	for last := ""; ; {
		resp, err := c.call(ctx, http.MethodGet, "/runs/"+id+"/events", last, nil)
		if err != nil {
			return err
		}
		for lines := bufio.NewScanner(resp.Body); err == nil && lines.Scan(); {
			data, is := strings.CutPrefix(lines.Text(), "data: ")
			if !is {
				continue
			}
			var e runs.Event
			if err = json.Unmarshal([]byte(data), &e); err == nil {
				last, err = strconv.FormatInt(e.Seq, 10), see(e)
			}
		}
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode == http.StatusNoContent { // the run has ended
			return err
		}
	}
}
