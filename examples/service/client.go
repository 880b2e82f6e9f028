package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/runs"
)

// client calls the API at a URL.
type client string

// asked is what a client reads of a run.
type asked struct {
	ID        string `json:"id"`
	Stage     string `json:"stage"`
	Outcome   string `json:"outcome"`
	Answer    string `json:"answer"`
	Reason    string `json:"reason"`
	Questions []struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	} `json:"questions"`
}

func (c client) do(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
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
	if header != nil {
		r.Header = header
	}
	r.Header.Set("Content-Type", "application/json")
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

// start starts a run, and returns the status of the answer.
func (c client) start(ctx context.Context, id, request string, about job) (string, error) {
	resp, err := c.do(ctx, http.MethodPost, "/runs", map[string]any{"id": id, "request": request, "meta": about}, nil)
	if err != nil {
		return "", err
	}
	return resp.Status, resp.Body.Close()
}

// get returns where a run stands.
func (c client) get(ctx context.Context, id string) (run asked, err error) {
	resp, err := c.do(ctx, http.MethodGet, "/runs/"+url.PathEscape(id), nil, nil)
	if err != nil {
		return run, err
	}
	defer func() { _ = resp.Body.Close() }()
	return run, json.NewDecoder(resp.Body).Decode(&run)
}

// watch yields what happens in a run until it ends. When the stream breaks, it asks for what is behind the last event,
// as an EventSource of a browser does.
func (c client) watch(ctx context.Context, id string) iter.Seq2[runs.Event, error] {
	return func(yield func(runs.Event, error) bool) {
		for last := ""; ; {
			resp, err := c.do(ctx, http.MethodGet, "/runs/"+url.PathEscape(id)+"/events", nil, http.Header{"Last-Event-Id": {last}})
			if err != nil {
				yield(runs.Event{}, err)
				return
			}
			more := resp.StatusCode != http.StatusNoContent // else the run has ended, and this is all
			for lines := bufio.NewScanner(resp.Body); more && lines.Scan(); {
				data, is := strings.CutPrefix(lines.Text(), "data: ")
				if !is {
					continue
				}
				var e runs.Event
				err := json.Unmarshal([]byte(data), &e)
				last = strconv.FormatInt(e.Seq, 10)
				more = yield(e, err) && err == nil
			}
			_ = resp.Body.Close()
			if !more {
				return
			}
		}
	}
}
